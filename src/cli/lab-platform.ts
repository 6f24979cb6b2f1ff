export type LabCni = 'cilium' | 'flannel' | 'none';

/** What a platform file for a lab must know. */
export type LabPlatform = {
  readonly name: string;
  readonly endpoints: readonly string[];
  readonly hosts: readonly string[];
  readonly tokenFile: string;
  readonly caFile: string;
  readonly factory: string;
  /** Absent: Cilium. */
  readonly cni?: LabCni;
  /** Network of the machines; undefined: theirs cannot be reached from outside, and DHCP gives addresses. */
  readonly network: { readonly cidr: string; readonly gateway: string } | undefined;
  /** Where real nodes run in the VMs: what was built, and what their configurations need. */
  readonly real?: { readonly talos: string; readonly kubernetes: string; readonly fitting: string };
};

const after = (address: string, count: number): string => {
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) + count;
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
};

/** Three control planes and three workers where there are hosts for them, each at an address of its own; of real nodes one each. */
export function platformText(given: LabPlatform): string {
  const { hosts, network, real } = given;
  const [first = '', ...others] = given.endpoints;
  const replicas = hosts.length >= 3 && real === undefined ? 3 : 1;
  const talos =
    real === undefined
      ? `talos: { version: v1.13.9, extensions: [qemu-guest-agent], image: { factory: "${given.factory}" } }`
      : `talos: { version: ${real.talos}, image: { factory: "${given.factory}" } }\n    kubernetes: { version: ${real.kubernetes} }`;
  const range = (from: number, to: number): string =>
    network === undefined ? '' : `, addresses: ${after(network.gateway, from)}-${after(network.gateway, to)}`;
  return `# The data centre of the lab "${given.name}", which is not there. Gone with: ichor lab stop --name ${given.name}
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: ${given.name} }
spec:
  machines:
    proxmox:
      endpoint: ${first}
${others.length === 0 ? '' : `      endpoints:\n${others.map((url) => `        - url: ${url}\n`).join('')}`}      token: { file: ${quoted(given.tokenFile)} }
      tls: { ca: ${quoted(given.caFile)} }
      hosts: [${hosts.join(', ')}]
      datastore: local-lvm
      imageDatastore: local
      bridge: vmbr0
      capacity:
${hosts.map((host) => `        ${host}: { cpu: 16, memory: 64GiB, disk: { local-lvm: 500GiB } }\n`).join('')}  cluster:
    ${talos}
${network === undefined ? '' : `    endpoint: { vip: ${after(network.gateway, 1)} }\n`}    controlPlane: { replicas: ${replicas}, cpu: 2, memory: 4GiB, disk: 20GiB${range(2, 10)} }
    workers:
      general: { replicas: ${real === undefined ? 3 : 1}, cpu: 4, memory: 8GiB, disk: 40GiB${range(11, 30)} }
${
  network === undefined
    ? ''
    : `    network:
      nodes: ${network.cidr}
      gateway: ${network.gateway}
      addresses: static
      nameservers: [${network.gateway}]
`
}${real === undefined ? `    cni: { ${given.cni ?? 'cilium'}: {} }\n` : fitted(real.fitting)}`;
}

/** Their pod network is a bridge inside each node. */
const fitted = (patch: string): string => `    cni: { none: {} }
    # So that it fits nodes without kernel, disks and internet.
    patches:
      - |
${patch.trimEnd().replaceAll(/^/gm, '        ')}
`;

/** A path may hold what YAML would take for something else. */
const quoted = (path: string): string => JSON.stringify(path);

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { importPlatform } from './import.ts';

type Spec = { machines: Record<string, unknown>; cluster: Record<string, unknown> };

function imported(content: string, name?: string) {
  const { file, notes, problems } = importPlatform([{ name: 'talconfig.yaml', content }], {
    name,
    target: 'platform.yaml',
  });
  const platform = parse(file ?? 'null') as { metadata: { name: string }; spec: Spec } | null;
  return {
    name: platform?.metadata.name,
    spec: platform?.spec,
    notes: notes.map(({ at, path, message }) => `${at?.line}:${at?.column} ${path}: ${message}`),
    problems: problems.map(({ at, code, message }) => `${at?.line}:${at?.column} ${code}: ${message}`),
  };
}

/** One control plane and one worker, and what is laid over them. */
const talconfig = (over: {
  readonly head?: string;
  readonly controlPlane?: string;
  readonly worker?: string;
  readonly tail?: string;
}) => `clusterName: home
talosVersion: v1.11.6
kubernetesVersion: v1.34.1
endpoint: https://10.0.0.11:6443
${over.head ?? ''}
nodes:
  - hostname: home-cp-0
    ipAddress: 10.0.0.11
    controlPlane: true
${over.controlPlane ?? ''}
  - hostname: home-worker-0
    ipAddress: 10.0.0.21
    controlPlane: false
${over.worker ?? ''}
${over.tail ?? ''}
`;

const plain = {
  talos: { version: 'v1.11.6', extensions: [] },
  kubernetes: { version: 'v1.34.1' },
  controlPlane: { replicas: 1 },
  workers: { worker: { replicas: 1 } },
  cni: { flannel: {} },
};

test('machines become those that already are, and keep their names', () => {
  expect(imported(talconfig({}))).toEqual({
    name: 'home',
    spec: {
      machines: { existing: { machines: { 'cp-0': { address: '10.0.0.11' }, 'worker-0': { address: '10.0.0.21' } } } },
      cluster: plain,
    },
    notes: [],
    problems: [],
  });
});

test('other names are written to each machine, and the cluster keeps its own', () => {
  const { name, spec } = imported(talconfig({}).replace('home-cp-0', 'Atlas'), 'north');
  expect([name, spec?.cluster['name'], spec?.cluster['nodes']]).toEqual([
    'north',
    'home',
    { 'cp-0': { hostname: 'atlas' }, 'worker-0': { hostname: 'home-worker-0' } },
  ]);
});

test.each<[string, string, string, unknown]>([
  ['the first control plane', 'https://10.0.0.11:6443', '', undefined],
  ['a load balancer', 'https://k8s.example.org', '', { host: 'k8s.example.org', port: 443 }],
  ['an IPv6 address', 'https://[fd00::5]:6443', '', { host: 'fd00::5' }],
  [
    'a VIP',
    'https://10.0.0.5:6443',
    '{ interface: eth0, dhcp: true, vip: { ip: 10.0.0.5 } }',
    { vip: '10.0.0.5', link: 'eth0' },
  ],
  [
    'a VIP on a VLAN',
    'https://10.0.0.5:6443',
    '{ interface: eth0, vlans: [{ vlanId: 30, dhcp: true, vip: { ip: 10.0.0.5 } }] }',
    { vip: '10.0.0.5', link: 'eth0.30' },
  ],
])('the endpoint is %s', (_, url, device, endpoint) => {
  const text = talconfig({ controlPlane: device === '' ? '' : `    networkInterfaces: [${device}]` });
  const { spec, problems } = imported(text.replace('https://10.0.0.11:6443', url));
  expect([spec?.cluster['endpoint'], problems]).toEqual([endpoint, []]);
});

test('an interface that only carried the VIP needs no patch, another one does', () => {
  const text = talconfig({
    controlPlane: `    networkInterfaces:
      - { interface: eth0, dhcp: true, vip: { ip: 10.0.0.5 } }
      - { interface: eth1, addresses: [10.1.0.11/24], mtu: 9000, vip: { ip: 10.1.0.5 } }`,
  });
  expect(imported(text.replace('10.0.0.11:6443', '10.0.0.5:6443')).spec?.cluster['controlPlane']).toEqual({
    replicas: 1,
    patches: [
      {
        machine: {
          network: {
            interfaces: [{ interface: 'eth1', addresses: ['10.1.0.11/24'], mtu: 9000, vip: { ip: '10.1.0.5' } }],
          },
        },
      },
    ],
  });
});

test('what all machines of a group have stands with the group', () => {
  const { spec, notes, problems } = imported(
    talconfig({
      worker: `  - hostname: home-worker-1
    ipAddress: 10.0.0.22
    nodeLabels: { zone: b }
    installDisk: /dev/sda`,
      tail: `worker:
  nodeLabels: { zone: a }
  nodeAnnotations: { owner: me }
  nodeTaints: { gpu: "true:NoSchedule", spot: NoExecute, odd: "x:Sometimes" }
  kernelModules: [{ name: br_netfilter }]`,
    }),
  );
  expect({ workers: spec?.cluster['workers'], nodes: spec?.cluster['nodes'], notes, problems }).toEqual({
    workers: {
      worker: {
        replicas: 2,
        annotations: { owner: 'me' },
        taints: ['gpu=true:NoSchedule', 'spot:NoExecute'],
        patches: [{ machine: { kernel: { modules: [{ name: 'br_netfilter' }] } } }],
      },
    },
    nodes: {
      'worker-0': { labels: { zone: 'a' } },
      'worker-1': { labels: { zone: 'b' }, installDisk: { path: '/dev/sda' } },
    },
    notes: [
      '21:58 worker.nodeTaints.odd: Not carried over: its effect is not one of NoSchedule, PreferNoSchedule, NoExecute.',
    ],
    problems: [],
  });
});

test('extensions: everywhere, in a group, or not at all', () => {
  const extensions = (...names: string[]) =>
    `    schematic: { customization: { systemExtensions: { officialExtensions: [${names.join(', ')}] } } }`;
  const { spec, notes } = imported(
    talconfig({
      controlPlane: extensions('intel-ucode', 'nut-client'),
      worker: `${extensions('intel-ucode', 'iscsi-tools')}
  - hostname: home-worker-1
    ipAddress: 10.0.0.22
${extensions('iscsi-tools', 'intel-ucode', 'gvisor')}`,
    }),
  );
  const { talos, controlPlane, workers } = spec?.cluster ?? {};
  expect({ talos, controlPlane, workers, notes }).toEqual({
    talos: { version: 'v1.11.6', extensions: ['intel-ucode'] },
    controlPlane: { replicas: 1, extensions: ['nut-client'] },
    workers: { worker: { replicas: 2, extensions: ['iscsi-tools'] } },
    notes: [
      '17:55 nodes[2].schematic.customization.systemExtensions.officialExtensions: Not carried over: gvisor. ichor has extensions for a group of machines, not for one.',
    ],
  });
});

test('what ichor has for the whole cluster must be the same on all machines', () => {
  const spec = (arch: string) => `    machineSpec: { mode: metal, arch: ${arch}, secureboot: true }
    schematic: { customization: { extraKernelArgs: [net.ifnames=0] } }
    nameservers: [10.0.0.1]`;
  const same = imported(talconfig({ controlPlane: spec('arm64'), worker: spec('arm64') }));
  expect([same.spec?.cluster['talos'], same.spec?.cluster['network'], same.notes]).toEqual([
    {
      version: 'v1.11.6',
      extensions: [],
      kernelArgs: ['net.ifnames=0'],
      secureBoot: true,
      image: { architecture: 'arm64' },
    },
    { nameservers: ['10.0.0.1'] },
    [],
  ]);
  const mixed = imported(talconfig({ controlPlane: spec('arm64') }));
  expect([mixed.spec?.cluster['talos'], mixed.spec?.cluster['controlPlane'], mixed.notes]).toEqual([
    { version: 'v1.11.6', extensions: [] },
    { replicas: 1, patches: [{ machine: { network: { nameservers: ['10.0.0.1'] } } }] },
    [
      '10:33 nodes[0].machineSpec.arch: Not carried over: ichor has it for the whole cluster, and the machines differ.',
      '10:46 nodes[0].machineSpec.secureboot: Not carried over: ichor has it for the whole cluster, and the machines differ.',
      '11:35 nodes[0].schematic.customization.extraKernelArgs: Not carried over: ichor has it for the whole cluster, and the machines differ.',
    ],
  ]);
});

test('the network is described as the version of Talos wants it', () => {
  const patchesOf = (version: string) => {
    const text = talconfig({ controlPlane: '    nameservers: [10.0.0.1]\n    disableSearchDomain: true' });
    const { spec } = imported(text.replace('v1.11.6', version));
    return (spec?.cluster['controlPlane'] as { patches?: unknown } | undefined)?.patches;
  };
  expect([patchesOf('v1.11.6'), patchesOf('1.12.4')]).toEqual([
    [{ machine: { network: { nameservers: ['10.0.0.1'], disableSearchDomain: true } } }],
    [
      {
        apiVersion: 'v1alpha1',
        kind: 'ResolverConfig',
        nameservers: [{ address: '10.0.0.1' }],
        searchDomains: { disableDefault: true },
      },
    ],
  ]);
});

test('firewall rules and volumes become documents, file modes stay what they are', () => {
  const { spec, notes, problems } = imported(
    talconfig({
      controlPlane: `    ingressFirewall:
      defaultAction: block
      rules:
        - { name: kubelet, portSelector: { ports: [10250], protocol: tcp }, ingress: [{ subnet: 10.0.0.0/24 }] }
    volumes:
      - name: EPHEMERAL
        provisioning: { maxSize: 50GiB }
    machineFiles:
      - { path: /etc/a, op: create, permissions: 0644, content: "a = 1" }
      - { path: /etc/b, op: create, permissions: 0o600, content: "@./b", skipEnvsubst: true }`,
    }),
  );
  expect({ controlPlane: spec?.cluster['controlPlane'], notes, problems }).toEqual({
    controlPlane: {
      replicas: 1,
      patches: [
        { machine: { files: [{ path: '/etc/a', op: 'create', permissions: 0o644, content: 'a = 1' }] } },
        { apiVersion: 'v1alpha1', kind: 'NetworkDefaultActionConfig', ingress: 'block' },
        {
          apiVersion: 'v1alpha1',
          kind: 'NetworkRuleConfig',
          name: 'kubelet',
          portSelector: { ports: [10250], protocol: 'tcp' },
          ingress: [{ subnet: '10.0.0.0/24' }],
        },
        { apiVersion: 'v1alpha1', kind: 'VolumeConfig', name: 'EPHEMERAL', provisioning: { maxSize: '50GiB' } },
      ],
    },
    notes: ['19:57 nodes[0].machineFiles[1].content: Stands in a file of its own, which is not read.'],
    problems: [],
  });
});

test('extension services of all machines are the cluster’s, with references for secrets', () => {
  const service = `  extensionServices:
    - name: tailscale
      environment: [TS_AUTHKEY=tskey-auth-x, TS_HOSTNAME=home, "TS_ROUTES=\${ROUTES}", "TS_EXTRA_ARGS=--a=\${X}"]
      configFiles:
        - { mountPath: /etc/motd, content: hello }
        - { mountPath: /etc/upsmon.conf, content: MONITOR ups 1 remote pass hunter2 }`;
  const { spec, notes, problems } = imported(talconfig({ tail: `controlPlane:\n${service}\nworker:\n${service}` }));
  expect({ services: spec?.cluster['extensionServices'], notes, problems }).toEqual({
    services: {
      tailscale: {
        environment: { TS_HOSTNAME: 'home' },
        secrets: { TS_AUTHKEY: { env: 'TS_AUTHKEY' }, TS_ROUTES: { env: 'ROUTES' } },
        files: { '/etc/motd': 'hello' },
      },
    },
    notes: [
      '18:21 controlPlane.extensionServices[0].environment[0]: The value of TS_AUTHKEY is not written to the file: export TS_AUTHKEY.',
      '18:64 controlPlane.extensionServices[0].environment[2]: The value of TS_ROUTES is not written to the file: export ROUTES.',
      '18:87 controlPlane.extensionServices[0].environment[3]: Not carried over: talhelper fills in the environment variable X here.',
      '21:42 controlPlane.extensionServices[0].configFiles[1].content: Not carried over: it may hold a secret.',
    ],
    problems: [],
  });
});

test('disk encryption of all machines is the cluster’s, others are not carried over with a passphrase', () => {
  const volumes = `  volumes:
    - { name: STATE, encryption: { provider: luks2, keys: [{ slot: 0, nodeID: {} }] } }
    - { name: EPHEMERAL, provisioning: { maxSize: 9GiB }, encryption: { provider: luks2, keys: [{ slot: 0, static: { passphrase: hunter2 } }] } }
  userVolumes:
    - { name: data, encryption: { provider: luks2, keys: [{ slot: 0, static: { passphrase: hunter2 } }] } }`;
  const { spec, notes, problems } = imported(talconfig({ tail: `controlPlane:\n${volumes}\nworker:\n${volumes}` }));
  expect({ encryption: spec?.cluster['encryption'], patches: spec?.cluster['patches'], notes, problems }).toEqual({
    encryption: { state: { nodeID: {} }, ephemeral: { passphrase: { env: 'EPHEMERAL_PASSPHRASE' } } },
    patches: [{ apiVersion: 'v1alpha1', kind: 'VolumeConfig', name: 'EPHEMERAL', provisioning: { maxSize: '9GiB' } }],
    notes: [
      '18:59 controlPlane.volumes[1].encryption: Becomes cluster.encryption.ephemeral; the passphrase is not written to the file: export EPHEMERAL_PASSPHRASE.',
      '20:7 controlPlane.userVolumes[0]: Not carried over: encryption.keys[0].static.passphrase is a secret.',
      '26:7 worker.userVolumes[0]: Not carried over: encryption.keys[0].static.passphrase is a secret.',
    ],
    problems: [],
  });
});

test('patches go where they belong, without what is secret or not final', () => {
  const { spec, notes, problems } = imported(
    talconfig({
      head: `patches:
  - |-
    machine: { registries: { config: { ghcr.io: { auth: { username: robot, password: hunter2 } } } } }
    cluster: { network: { cni: { name: none } } }
    ---
    apiVersion: v1alpha1
    kind: WatchdogTimerConfig
    device: /dev/watchdog0
  - "@./kubelet.yaml"
  - "machine: {{ .x }}"
  - "machine: { env: { A: '\${A}', B: b } }"`,
      controlPlane: `    overridePatches: true
    patches: ["machine: { type: controlplane }"]`,
      tail: `controlPlane:
  patches:
    - '[{ "op": "add", "path": "/machine/a", "value": 1 }, { "op": "add", "path": "/machine/b", "value": { "token": "hunter2" } }, { "op": "replace", "path": "/machine/token", "value": "hunter2" }]'
worker:
  patches: ["[{ op: remove, path: /cluster/a }]", just words]`,
    }),
  );
  const { patches, controlPlane, workers, nodes, cni, registries } = spec?.cluster ?? {};
  expect({ patches, controlPlane, workers, nodes, cni, registries, notes, problems }).toEqual({
    patches: [
      { apiVersion: 'v1alpha1', kind: 'WatchdogTimerConfig', device: '/dev/watchdog0' },
      { machine: { env: { B: 'b' } } },
    ],
    controlPlane: { replicas: 1, patches: ['- op: add\n  path: /machine/a\n  value: 1\n'] },
    workers: { worker: { replicas: 1, patches: ['- op: remove\n  path: /cluster/a\n'] } },
    nodes: { 'cp-0': { patches: [{ machine: { type: 'controlplane' } }] } },
    cni: { none: {} },
    registries: { credentials: { 'ghcr.io': { username: 'robot', password: { env: 'REGISTRY_GHCR_IO_PASSWORD' } } } },
    notes: [
      '5:1 patches: talhelper applies these after those of groups and machines, ichor before them: look where two set the same value.',
      '6:5 patches[0]: machine.registries.config["ghcr.io"].auth: Becomes cluster.registries.credentials; the password is not written to the file: export REGISTRY_GHCR_IO_PASSWORD.',
      '13:5 patches[1]: Stands in a file of its own, which is not read: put it under patches.',
      '14:5 patches[2]: Not carried over: it is not YAML as it stands.',
      '15:5 patches[3]: machine.env.A: Not carried over: it takes its value from an environment variable.',
      '20:5 nodes[0].overridePatches: Not carried over: the patches of its group apply to this machine too.',
      '28:7 controlPlane.patches[0]: [1]: Not carried over: value.token is a secret.',
      '28:7 controlPlane.patches[0]: [2]: Not carried over: value is a secret.',
      '30:51 worker.patches[1]: Not carried over: it is neither a mapping nor a list.',
    ],
    problems: [],
  });
});

test('networks, names in certificates and manifests', () => {
  const { spec, notes, problems } = imported(
    talconfig({
      head: `domain: home.arpa
allowSchedulingOnControlPlanes: true
additionalMachineCertSans: [10.0.0.5]
additionalApiServerCertSans: [k8s.example.org, 10.0.0.5]
clusterPodNets: [10.1.0.0/16, "fd00:1::/64"]
clusterSvcNets: [10.2.0.0/16]
cniConfig: { name: custom, urls: [https://example.org/cni.yaml, ./cni.yaml] }
inlineManifests:
  - { name: motd, contents: "kind: ConfigMap" }
  - { name: Secret_1, contents: "kind: Secret\\ndata: { a: aHVudGVyMg== }" }
  - { name: app, contents: "@./app.yaml" }
imageFactory: { registryURL: factory.example.org, installerURLTmpl: x }`,
    }),
  );
  const { network, certSANs, manifests, cni, controlPlane, talos } = spec?.cluster ?? {};
  expect({ network, certSANs, manifests, cni, controlPlane, talos, notes, problems }).toEqual({
    network: { pods: '10.1.0.0/16', services: '10.2.0.0/16', domain: 'home.arpa' },
    certSANs: ['10.0.0.5', 'k8s.example.org'],
    manifests: { inline: { motd: 'kind: ConfigMap' }, urls: ['https://example.org/cni.yaml'] },
    cni: { none: {} },
    controlPlane: { replicas: 1, schedulable: true },
    talos: { version: 'v1.11.6', extensions: [], image: { factory: 'https://factory.example.org' } },
    notes: [
      '9:1 clusterPodNets: Only the first network is carried over.',
      '11:65 cniConfig.urls[1]: Not carried over: it is not a URL.',
      '14:23 inlineManifests[1].contents: Not carried over: it holds a secret.',
      '15:5 inlineManifests[2]: Stands in a file of its own, which is not read: put its text under cluster.manifests.inline.app.',
      '16:51 imageFactory.installerURLTmpl: Not carried over.',
    ],
    problems: [],
  });
});

test('names that only DHCP gives, addresses that are none', () => {
  const text = talconfig({ controlPlane: '    ignoreHostname: true', worker: '    ignoreHostname: true' });
  const { spec, notes, problems } = imported(text.replace('10.0.0.21', 'worker.example.org'));
  expect([spec?.cluster['hostnames'], spec?.cluster['nodes'], notes, problems]).toEqual([
    'dhcp',
    undefined,
    ['12:5 nodes[1].ipAddress: Not carried over: it is not an address.'],
    ['6:1 no-address: The file asks for machines that are not in machines.existing.machines: home-worker-0.'],
  ]);
});

test.each<[string, string, string]>([
  ['a list', '- a\n', '1:1 not-a-mapping: A talconfig.yaml is a mapping with clusterName, endpoint and nodes.'],
  ['nothing', '', '1:1 not-a-mapping: A talconfig.yaml is a mapping with clusterName, endpoint and nodes.'],
  ['no YAML', 'a: [\n', '1:4 yaml: This is not YAML as it stands.'],
])('%s gives no file', (_, content, problem) => {
  const { file, problems } = importPlatform([{ name: 'talconfig.yaml', content }], {
    from: 'talhelper',
    target: 'platform.yaml',
  });
  expect([file, problems.map(({ at, code, message }) => `${at?.line}:${at?.column} ${code}: ${message}`)]).toEqual([
    undefined,
    [problem],
  ]);
});

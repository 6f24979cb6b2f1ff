import { isError, Problem } from '../model/problem.ts';
import { missingAnswers, settleAnswers, type Answers, type Given } from './answers.ts';
import { read } from './read.ts';
import { apiVersion } from './schema/platform.ts';
import { yamlText } from './yaml-text.ts';

export type Drafted = {
  /** The file, which our own reader has read; undefined when an answer is missing or wrong. */
  readonly file: string | undefined;
  readonly answers: Answers;
  /** What is missing or wrong, each with the flag that says it better. */
  readonly problems: readonly Problem[];
};

/** A first platform file from a few answers. */
export function draftPlatform(given: Given): Drafted {
  const answers = settleAnswers(given);
  const missing = missingAnswers(given);
  const text = fileOf(answers);
  const wrong = read({ sources: [{ name: 'platform.yaml', content: text }] })
    .problems.filter(isError)
    .map(aboutAnswer);
  const known = wrong.filter(({ path = '' }) => given.provider !== undefined || !ofProvider.includes(path));
  const problems = onePerFlag([...missing, ...known]);
  return { file: problems.length > 0 ? undefined : text, answers, problems };
}

/** Flags whose answers mean nothing before it is known where machines come from. */
const ofProvider: readonly string[] = ['--endpoint', '--cloud', '--hosts', '--capacity'];

/** Which flag is behind what stands at a path of the file; the first that fits. */
const flags: readonly (readonly [path: RegExp, flag: string])[] = [
  [/^metadata\.name$|^spec\.cluster\.controlPlane$|^spec\.cluster\.workers\.general$/, '--name'],
  [/^spec\.machines\.proxmox\.endpoint/, '--endpoint'],
  [/^spec\.machines\.openstack\.cloud/, '--cloud'],
  [/\.capacity\b/, '--capacity'],
  [/^spec\.machines\.(existing|libvirt|\w+\.hosts|\w+\.availabilityZones)/, '--hosts'],
  [/^spec\.cluster\.controlPlane\.replicas|^spec\.cluster\.highAvailability/, '--control-planes'],
  [/^spec\.cluster\.workers$|^spec\.cluster\.workers\.general\.replicas|\.vmids\b/, '--workers'],
  [/\.addresses$/, '--addresses'],
  [/^spec\.cluster\.endpoint/, '--vip'],
  [/^spec\.cluster\.network\.gateway/, '--gateway'],
  [/^spec\.cluster\.network/, '--network'],
  [/^spec\.cluster\.talos/, '--talos'],
];

/** The same problem, said about the flag instead of a place in a file that is not written yet. */
function aboutAnswer({ code, message, remedy, path = '' }: Problem): Problem {
  // Only names of hosts become keys, and keys can be wrong before anything has a path.
  if (code === 'duplicate-key' || (!path.startsWith('spec') && path !== 'metadata.name'))
    return new Problem(code, message, { remedy, path: '--hosts' });
  const needed = /cluster\.network\.(nodes|gateway)\.$/.exec(message)?.[1];
  const flag = needed
    ? { nodes: '--network', gateway: '--gateway' }[needed]
    : flags.find(([fits]) => fits.test(path))?.[1];
  return new Problem(code, message, { remedy, path: flag ?? path });
}

/** One wrong answer can be wrong in several places of the file. */
const onePerFlag = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index);

/** A value as YAML has it, also between braces. */
function scalar(value: string | number): string {
  const text = yamlText([value]).trimEnd();
  return /[,[\]{}#]|: |\n/.test(text) && typeof value === 'string' ? JSON.stringify(value) : text;
}

const list = (values: readonly string[]): string => `[${values.map(scalar).join(', ')}]`;

/** Lines that begin with # and no space are options: take the # away to use them. */
function fileOf(answers: Answers): string {
  return `# A platform, as ichor builds and keeps it. Lines that begin with # and no space are options: take the # away.
#   ichor validate                    is it right?
#   ichor place                       does it fit, and what if a host dies?
#   ichor explain cluster.workers     what can be said there?
apiVersion: ${apiVersion}
kind: Platform
metadata:
  name: ${scalar(answers.name)}
spec:
  #environment: production
  machines:
${machinesSection(answers)}
  cluster:
    talos: { version: ${scalar(answers.talos)} }
    #kubernetes: { version: v1.35.2 }   # absent: the newest that this Talos is made for
${[endpointLine(answers), groupLines(answers), networkLine(answers), hostnameLine(answers)].join('')}    cni: { cilium: {} }
  # What runs on the cluster, once it is there.
  #services: { gitops: { flux: { url: ssh://git@example.org/platform.git, path: clusters/prod } } }
`;
}

function machinesSection({ provider, endpoint, cloud, hosts, capacity, controlPlanes, workers }: Answers): string {
  const [host = 'pve1'] = hosts;
  const capacityLine = (indent: string, names: readonly string[]): string =>
    capacity === undefined
      ? `${indent}#capacity: { ${scalar(names[0] ?? host)}: { cpu: 32, memory: 128GiB } }   # what ichor place counts with`
      : `${indent}capacity:   # what ichor place counts with\n${[...new Set(names)].map((name) => `${indent}  ${scalar(name)}: { cpu: ${/^\d{1,9}$/.test(capacity.cpu) ? capacity.cpu : scalar(capacity.cpu)}, memory: ${scalar(capacity.memory)} }`).join('\n')}`;
  switch (provider) {
    case 'proxmox':
      return `    proxmox:
      endpoint: ${scalar(endpoint)}
      token: { env: PROXMOX_TOKEN }   # USER@REALM!NAME=UUID; a secret is never written here
      #tls: { ca: ./pve-root-ca.pem }   # /etc/pve/pve-root-ca.pem of a host, when its certificate is its own
      hosts: ${list(hosts)}
${capacityLine('      ', hosts)}
      datastore: local-lvm
      bridge: vmbr0
      #vlan: 40`;
    case 'libvirt': {
      const named = hosts.map((written, index) =>
        written.includes('://')
          ? ([hostOf(written, index), written] as const)
          : ([written, `qemu+ssh://root@${written}/system`] as const),
      );
      const names = named.map(([name]) => name);
      return `    libvirt:
${
  named.length === 0
    ? '      #hosts: { kvm1: qemu+ssh://root@kvm1.example.org/system }   # absent: this machine, called local'
    : `      hosts:\n${named.map(([name, uri]) => `        ${scalar(name)}: ${scalar(uri)}`).join('\n')}`
}
${capacityLine('      ', names.length === 0 ? ['local'] : names)}
      pool: { name: ichor, path: /var/lib/libvirt/images }
      network: { name: ichor, mode: nat }`;
    }
    case 'openstack':
      return `    openstack:
      cloud: ${scalar(cloud)}   # in clouds.yaml, which keeps the credentials
      network: { external: public }
      availabilityZones: ${list(hosts)}
${capacityLine('      ', hosts)}
      #loadBalancer: true   # Octavia instead of a VIP`;
    case 'existing': {
      const names = [
        ...Array.from({ length: controlPlanes }, (_, index) => `cp-${index}`),
        ...Array.from({ length: workers }, (_, index) => `general-${index}`),
      ].slice(0, hosts.length);
      const lines = names.map((name, index) => `        ${name}: { address: ${scalar(hosts[index] ?? '')} }`);
      return `    existing:
      machines:   # each runs Talos in maintenance mode
${lines.join('\n')}`;
    }
  }
}

/** kvm1 of qemu+ssh://root@kvm1.example.org/system. */
function hostOf(uri: string, index: number): string {
  const host = URL.canParse(uri) ? new URL(uri).hostname.split('.')[0] : undefined;
  return host === undefined || host === '' ? (index === 0 ? 'local' : `host-${index}`) : host;
}

const endpointLine = ({ vip }: Answers): string =>
  vip === undefined
    ? '    #endpoint: { vip: 10.10.0.5 }   # a free address that the control planes share; absent: the first control plane\n'
    : `    endpoint: { vip: ${scalar(vip)} }   # the Kubernetes API, on whichever control plane is alive\n`;

function groupLines({ provider, controlPlanes, workers, hosts, addresses }: Answers): string {
  const sizes = (cpu: number, memory: string, disk: string): string =>
    provider === 'existing' ? '' : `, cpu: ${cpu}, memory: ${memory}, disk: ${disk}`;
  const range = (written: string | undefined): string =>
    written === undefined ? '' : `, addresses: ${scalar(written)}`;
  const spread = provider === 'openstack' || provider === 'existing' || Math.max(1, hosts.length) >= controlPlanes;
  return [
    ...(controlPlanes < 3
      ? []
      : spread
        ? ['    highAvailability: true   # each control plane on a host of its own']
        : ['    highAvailability: false   # there are fewer hosts than control planes: some share one']),
    `    controlPlane: { replicas: ${controlPlanes}${sizes(2, '4GiB', '40GiB')}${range(addresses?.controlPlanes)} }`,
    ...(workers === 0
      ? provider === 'existing'
        ? []
        : ['    #workers: { general: { replicas: 3 } }   # absent: control planes run workloads too']
      : [
          '    workers:',
          `      general: { replicas: ${workers}${sizes(4, '8GiB', '100GiB')}${range(addresses?.workers)} }`,
        ]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function networkLine({ provider, network, gateway, addresses, pods, services }: Answers): string {
  const entries = [
    ...(network === undefined ? [] : [`nodes: ${scalar(network)}`]),
    ...(gateway === undefined ? [] : [`gateway: ${scalar(gateway)}`]),
    ...(addresses === undefined ? [] : ['addresses: static']),
    ...(pods === undefined ? [] : [`pods: ${pods}`]),
    ...(services === undefined ? [] : [`services: ${services}`]),
  ];
  if (entries.length > 0) return `    network: { ${entries.join(', ')} }\n`;
  return provider === 'existing'
    ? ''
    : '    #network: { nodes: 10.10.0.0/24 }   # the network of the machines; addresses come from its DHCP server\n';
}

const hostnameLine = ({ hostnames }: Answers): string =>
  hostnames === 'dhcp'
    ? '    hostnames: dhcp   # your DHCP server names the machines: ichor machines --output dnsmasq\n'
    : '    #hostnames: dhcp   # when your DHCP server names the machines\n';

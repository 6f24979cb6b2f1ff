import * as z from 'zod';
import { talosReleases } from '../../model/talos-releases.ts';
import { cni, endpoint, network } from './network.ts';
import { controlPlane, nodeOverride, workerPool } from './node-group.ts';
import { cel, note } from './notes.ts';
import {
  clusterName,
  discovery,
  encryption,
  extensionServices,
  firewall,
  hostDNS,
  kubePrism,
  kubernetes,
  kubeSpan,
  manifests,
  names,
  registries,
  talos,
} from './talos.ts';
import { diskSize, foreignName, free, integer, mapOf, memorySize, namedBy, nameKeys, patches } from './values.ts';

const placement = z
  .strictObject({
    strategy: z
      .enum(['spread', 'pin'])
      .default('spread')
      .describe(
        'spread: as evenly as the hosts allow; pin: every control plane is named in pinned (or has a host under nodes).',
      ),
    pinned: namedBy(foreignName('pve1'), 1000)
      .default({})
      .describe('Host of a machine, by machine name; the rest is spread.'),
    overcommit: z
      .strictObject({
        cpu: z.number().min(1).max(64).default(1).describe('Virtual processors per logical processor of a host.'),
      })
      .prefault({})
      .describe('How far hosts may be filled beyond what they have. Memory and disk never are.'),
    reserve: z
      .strictObject({
        cpu: integer(0, 8192).default(0).describe('Logical processors.'),
        memory: memorySize().prefault('0MiB').describe('Memory.'),
        disk: diskSize().prefault('0GiB').describe('Space on every datastore.'),
      })
      .prefault({})
      .describe('What stays free on every host.'),
  })
  .prefault({})
  .describe('Where machines go.');

const fields = z.strictObject({
  name: note(clusterName(), { derived: 'the platform’s name' }),
  talos,
  kubernetes,
  endpoint,
  highAvailability: note(
    z
      .boolean()
      .describe(
        'At least three control planes, an odd number, each on a host of its own. false: control planes may share a host.',
      )
      .optional(),
    { derived: 'true from three control planes on' },
  ),
  controlPlane,
  workers: namedBy(workerPool, 64).default({}).describe('Worker pools by name: machines POOL-0, POOL-1, …'),
  nodes: namedBy(nodeOverride, 1000)
    .default({})
    .describe('What is fixed for one machine, by machine name, with or without the platform’s name in front.'),
  names,
  placement,
  hostnames: z
    .enum(['talos', 'dhcp'])
    .default('talos')
    .describe(
      'talos: the machine’s name is written into its config; dhcp: your DHCP server names it, and no hostname is written anywhere.',
    ),
  network,
  cni,
  certSANs: z
    .array(free('k8s.example.org', 253))
    .max(64)
    .default([])
    .describe('Further names and addresses in the certificates of the Talos and Kubernetes APIs.'),
  registries,
  kubePrism,
  hostDNS,
  discovery,
  kubeSpan,
  firewall,
  encryption,
  extensionServices,
  manifests,
  sysctls: mapOf('the name of a sysctl', nameKeys, z.string().max(1024)).default({}).describe('Kernel parameters.'),
  patches: patches(),
});

const pair = (minor: string, [oldest, newest]: readonly [number, number]) => {
  const kubernetesMinors = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index).join('|');
  return `(self.talos.version.matches(r'^v?${minor.replace('.', '\\.')}\\.') && self.kubernetes.version.matches(r'^v?1\\.(${kubernetesMinors})\\.'))`;
};
const pairsInWords = Object.entries(talosReleases)
  .map(
    ([
      minor,
      {
        kubernetes: [oldest, newest],
      },
    ]) => `Talos ${minor} runs 1.${oldest} to 1.${newest}`,
  )
  .join(', ');
const knownMinors = Object.keys(talosReleases).map((minor) => minor.slice('1.'.length));

const odd = cel(
  fields,
  'self.controlPlane.replicas % 2 == 1',
  'the number of control planes must be odd, because etcd needs a majority: use 1, 3, 5, 7 or 9',
  '.controlPlane.replicas',
);
const three = cel(
  odd,
  '!has(self.highAvailability) || !self.highAvailability || self.controlPlane.replicas >= 3',
  'high availability needs at least three control planes: use 3 or more, or leave highAvailability out',
  '.controlPlane.replicas',
);
const known = cel(
  three,
  `self.talos.version.matches(r'^v?1\\.(${knownMinors.join('|')})\\.')`,
  `Talos must be a version from 1.${knownMinors[0]} to 1.${knownMinors.at(-1)}`,
  '.talos.version',
);
const supported = cel(
  known,
  `!has(self.kubernetes.version) || !self.talos.version.matches(r'^v?1\\.(${knownMinors.join('|')})\\.') || ${Object.entries(
    talosReleases,
  )
    .map(([minor, release]) => pair(minor, release.kubernetes))
    .join(' || ')}`,
  `this Talos does not run this Kubernetes: ${pairsInWords}`,
  '.kubernetes.version',
);
const insideNetwork = cel(
  supported,
  '!has(self.endpoint.vip) || !has(self.network.nodes) || cidr(self.network.nodes).containsIP(self.endpoint.vip)',
  'the VIP must be an address of the machines’ network (network.nodes)',
  '.endpoint.vip',
);
const nobodysAddress = cel(
  insideNetwork,
  '!has(self.endpoint.vip) || self.nodes.all(name, !has(self.nodes[name].address) || self.nodes[name].address != self.endpoint.vip)',
  'the VIP must not be the address of a machine under nodes: choose a free one',
  '.endpoint.vip',
);

/** Layer 1b: the cluster. */
export const cluster = cel(
  nobodysAddress,
  "!('cp' in self.workers)",
  'a worker pool must not be called cp, because control planes are: use another name',
  '.workers',
).describe('Layer 1b: the Talos and Kubernetes cluster.');

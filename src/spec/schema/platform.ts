import * as z from 'zod';
import { cluster } from './cluster.ts';
import { configuration } from './configuration.ts';
import { identity } from './identity.ts';
import { machines } from './machines.ts';
import { cel } from './notes.ts';
import { services } from './services.ts';
import { free, label, nodeAnnotations, nodeLabels } from './values.ts';

export const apiVersion = 'ichor.dev/v1alpha1';

export const metadata = z
  .looseObject({
    name: label('prod').describe('Name; machines, the cluster and their identities are derived from it.'),
    namespace: label('platforms').describe('Namespace, when it is applied to a cluster.').optional(),
    labels: nodeLabels().describe('Labels of the resource.').optional(),
    // kubectl keeps the whole resource in an annotation of its own.
    annotations: nodeAnnotations(262_144).describe('Annotations of the resource.').optional(),
  })
  .describe('Name and labels, as of any Kubernetes resource.');

const fields = z.strictObject({
  environment: free('production', 63).describe('What it is for; a label on everything ichor makes.').optional(),
  identity,
  machines,
  cluster: cluster.prefault({}),
  services,
  configuration,
});

const pinnedHosts = cel(
  fields,
  '!has(self.machines.proxmox) || self.cluster.placement.pinned.all(name, self.cluster.placement.pinned[name] in self.machines.proxmox.hosts)',
  'a machine may be pinned only to a host of machines.proxmox.hosts',
  '.cluster.placement.pinned',
);
const isoOnProxmox = cel(
  pinnedHosts,
  '!has(self.cluster.talos.image.iso) || has(self.machines.proxmox)',
  'an ISO on a storage is a matter of machines.proxmox: leave iso out, and the image comes from the Image Factory',
  '.cluster.talos.image.iso',
);

const csiOnProxmox = cel(
  isoOnProxmox,
  '!has(self.services.catalog.proxmox__dash__csi) || has(self.machines.proxmox)',
  'proxmox-csi gives volumes of machines.proxmox: use longhorn elsewhere',
  ".services.catalog['proxmox-csi']",
);

const hasCidr = (provider: string) => `(has(self.machines.${provider}) && has(self.machines.${provider}.network.cidr))`;

export const platformSpec = cel(
  csiOnProxmox,
  `self.cluster.network.addresses != 'static' || has(self.cluster.network.nodes) || ${hasCidr('libvirt')} || ${hasCidr('openstack')}`,
  'static addresses need cluster.network.nodes, such as 10.10.0.0/24',
  '.cluster.network.nodes',
).describe('A whole platform, in layers: each may use only what the layers above it have brought up.');

export const platform = z.strictObject({
  apiVersion: z.literal(apiVersion).describe('Version of this schema.'),
  kind: z.literal('Platform').describe('What it is: a whole platform.'),
  metadata,
  spec: platformSpec,
  status: z.unknown().describe('Written by the operator; ichor does not read it.').optional(),
});

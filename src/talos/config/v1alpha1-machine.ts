import { fromBundle, byVersion, talosDefault } from './because.ts';
import { dataMounts, legacyDisks } from './legacy-disks.ts';
import { legacyNetwork } from './legacy-network.ts';
import { legacyRegistries } from './legacy-registries.ts';
import { encryptionFields } from './encryption.ts';
import { kubeletImage } from './kubernetes-defaults.ts';
import { annotationsOf, labelsOf, taintsText } from './node-marks.ts';
import { withKey, withoutKey } from './pem.ts';
import { present, unlessEmpty, type FieldRow } from './table.ts';

/** Where a kubelet and its settings stand, before they got documents of their own. */
const inOneDocument = { until: '1.13' } as const;

/** `machine` of the v1alpha1 document, in the order in which talosctl writes it. */
export const machineRows: readonly FieldRow[] = [
  {
    path: 'machine.type',
    because: 'the role of the machine',
    value: ({ role }) => (role === 'worker' ? 'worker' : 'controlplane'),
  },
  { path: 'machine.token', because: fromBundle, value: ({ secrets }) => secrets.trustdinfo.token },
  {
    path: 'machine.ca',
    because: fromBundle,
    value: ({ role, secrets }) => (role === 'worker' ? withoutKey : withKey)(secrets.certs.os),
  },
  { path: 'machine.certSANs', because: 'cluster.certSANs', value: ({ certSANs }) => certSANs },
  {
    path: 'machine.kubelet.image',
    ...inOneDocument,
    because: byVersion,
    value: ({ kubernetesVersion }) => kubeletImage(kubernetesVersion),
  },
  {
    path: 'machine.kubelet.extraMounts',
    ...inOneDocument,
    because: 'the disks of the machine, services.catalog.longhorn',
    value: (intent) => unlessEmpty(dataMounts(intent)),
  },
  {
    path: 'machine.kubelet.defaultRuntimeSeccompProfileEnabled',
    ...inOneDocument,
    because: talosDefault,
    value: () => true,
  },
  {
    path: 'machine.kubelet.nodeIP',
    ...inOneDocument,
    because: 'cluster.network.nodes',
    value: ({ nodeSubnets }) => (nodeSubnets.length === 0 ? undefined : { validSubnets: nodeSubnets }),
  },
  { path: 'machine.kubelet.disableManifestsDirectory', ...inOneDocument, because: talosDefault, value: () => true },
  {
    path: 'machine.network',
    until: '1.11',
    because: 'cluster.network, cluster.hostnames',
    value: (intent) => legacyNetwork(intent),
  },
  {
    path: 'machine.network',
    since: '1.12',
    until: '1.12',
    because: 'cluster.kubeSpan',
    value: ({ kubeSpan }) =>
      kubeSpan === undefined ? {} : { kubespan: present({ enabled: true, mtu: kubeSpan.mtu }) },
  },
  {
    path: 'machine.disks',
    until: '1.9',
    because: 'the disks of the machine',
    value: (intent) => unlessEmpty(legacyDisks(intent)),
  },
  {
    path: 'machine.install.disk',
    ...inOneDocument,
    because: 'installDisk of the machine or its group, else the first disk',
    value: ({ install: { disk } }) => (disk?.kind === 'path' ? disk.path : undefined),
  },
  {
    path: 'machine.install.diskSelector',
    ...inOneDocument,
    because: 'installDisk of the machine or its group',
    value: ({ install: { disk } }) => {
      if (disk?.kind !== 'selector') return undefined;
      const { size, ...rest } = disk.selector;
      return present({ size: size && `${size.operator} ${size.amount}${size.unit}`, ...rest });
    },
  },
  { path: 'machine.install.image', ...inOneDocument, because: 'cluster.talos', value: ({ install }) => install.image },
  { path: 'machine.install.wipe', ...inOneDocument, because: talosDefault, value: () => false },
  { path: 'machine.install.grubUseUKICmdline', since: '1.12', until: '1.13', because: talosDefault, value: () => true },
  {
    path: 'machine.time',
    until: '1.11',
    because: 'cluster.network.timeServers',
    value: ({ timeServers }) => (timeServers.length === 0 ? undefined : { servers: timeServers }),
  },
  {
    path: 'machine.sysctls',
    ...inOneDocument,
    because: 'cluster.sysctls',
    value: ({ sysctls }) => unlessEmpty(sysctls),
  },
  {
    path: 'machine.registries',
    until: '1.11',
    because: 'cluster.registries',
    value: ({ registries }) => unlessEmpty(legacyRegistries(registries)),
  },
  {
    path: 'machine.systemDiskEncryption',
    until: '1.10',
    because: 'cluster.encryption',
    value: ({ encryption: { state, ephemeral } }) =>
      unlessEmpty(
        present({ state: state && encryptionFields(state), ephemeral: ephemeral && encryptionFields(ephemeral) }),
      ),
  },
  { path: 'machine.features.rbac', until: '1.11', because: talosDefault, value: () => true },
  { path: 'machine.features.stableHostname', until: '1.11', because: talosDefault, value: () => true },
  { path: 'machine.features.apidCheckExtKeyUsage', until: '1.11', because: talosDefault, value: () => true },
  { path: 'machine.features.diskQuotaSupport', because: talosDefault, value: () => true },
  {
    path: 'machine.features.kubePrism',
    ...inOneDocument,
    because: 'cluster.kubePrism',
    value: ({ kubePrismPort }) =>
      kubePrismPort === undefined ? { enabled: false } : { enabled: true, port: kubePrismPort },
  },
  {
    path: 'machine.features.hostDNS',
    ...inOneDocument,
    because: 'cluster.hostDNS',
    value: ({ hostDNS }) => ({ ...hostDNS }),
  },
  {
    path: 'machine.nodeLabels',
    ...inOneDocument,
    because: 'labels of the machine and its group',
    value: (intent) => unlessEmpty(labelsOf(intent)),
  },
  {
    path: 'machine.nodeAnnotations',
    ...inOneDocument,
    because: 'annotations of the machine and its group',
    value: (intent) => unlessEmpty(annotationsOf(intent)),
  },
  {
    path: 'machine.nodeTaints',
    ...inOneDocument,
    because: 'taints of the machine and its group',
    value: ({ taints }) => unlessEmpty(taintsText(taints)),
  },
];

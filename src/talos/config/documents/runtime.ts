import { talosDefault } from '../because.ts';
import { ownDiscovery } from '../cluster-intent.ts';
import { fromBundle } from '../because.ts';
import { encryptionFields } from '../encryption.ts';
import { installMatch } from '../install-match.ts';
import { present, unlessEmpty, type DocumentRow } from '../table.ts';

export const discoveryRows: readonly DocumentRow[] = [
  {
    kind: 'DiscoveryServiceConfig',
    since: '1.14',
    because: 'cluster.discovery',
    documents: ({ discovery: { enabled, service } }) =>
      enabled ? [{ name: 'default', endpoint: service ?? ownDiscovery }] : [],
  },
  {
    kind: 'DiscoveryIdentityConfig',
    since: '1.14',
    because: fromBundle,
    documents: ({ secrets: { cluster } }) => [{ clusterID: cluster.id, clusterSecret: cluster.secret }],
  },
];

export const installRows: readonly DocumentRow[] = [
  {
    kind: 'UnattendedInstallConfig',
    since: '1.14',
    because: 'cluster.talos, and installDisk of the machine or its group',
    documents: ({ install: { image, disk } }) =>
      disk === undefined
        ? []
        : [{ installer: { image }, provisioning: { diskSelector: { match: installMatch(disk) }, wipe: false } }],
  },
];

export const sysctlRows: readonly DocumentRow[] = [
  {
    kind: 'SysctlConfig',
    since: '1.14',
    because: 'cluster.sysctls',
    documents: ({ sysctls }) => (unlessEmpty(sysctls) === undefined ? [] : [{ params: sysctls }]),
  },
];

/** Talos wants to know how small a volume may be; it takes the whole disk. */
const leastVolume = '500MiB';

export const volumeRows: readonly DocumentRow[] = [
  {
    kind: 'VolumeConfig',
    since: '1.11',
    because: 'cluster.encryption.state',
    documents: ({ encryption: { state } }) =>
      state === undefined ? [] : [{ name: 'STATE', encryption: encryptionFields(state) }],
  },
  {
    kind: 'VolumeConfig',
    since: '1.11',
    until: '1.13',
    because: 'cluster.encryption.ephemeral',
    documents: ({ encryption: { ephemeral } }) =>
      ephemeral === undefined ? [] : [{ name: 'EPHEMERAL', encryption: encryptionFields(ephemeral) }],
  },
  {
    kind: 'VolumeConfig',
    since: '1.14',
    because: ({ encryption }) => (encryption.ephemeral === undefined ? talosDefault : 'cluster.encryption.ephemeral'),
    documents: ({ encryption: { ephemeral } }) => [
      present({ name: 'EPHEMERAL', encryption: ephemeral && encryptionFields(ephemeral), mount: { secure: true } }),
    ],
  },
  {
    kind: 'FilesystemTrimConfig',
    since: '1.14',
    because: talosDefault,
    documents: () => [{ interval: '168h0m0s' }],
  },
  {
    kind: 'SecurityProfileConfig',
    since: '1.14',
    because: talosDefault,
    documents: () => [{ workloadIsolation: true }],
  },
  {
    kind: 'UserVolumeConfig',
    since: '1.10',
    because: 'the disks of the machine',
    documents: ({ dataDisks }) =>
      dataDisks.map(({ name, match }) => ({
        name,
        provisioning: { diskSelector: { match }, grow: true, minSize: leastVolume },
      })),
  },
];

export const extensionRows: readonly DocumentRow[] = [
  {
    kind: 'ExtensionServiceConfig',
    because: 'cluster.extensionServices',
    documents: ({ extensionServices }) =>
      extensionServices.map(({ name, files, environment }) =>
        present({ name, configFiles: unlessEmpty(files), environment: unlessEmpty(environment) }),
      ),
  },
];

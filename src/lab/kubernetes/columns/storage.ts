import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { isTree, text, texts, tree, trees } from '../kinds/tree.ts';
import type { Column } from '../resource.ts';
import { ageColumn, column, nameColumn, specOf, statusOf, wide } from './cells.ts';

const short: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const modesText = (modes: unknown): string => {
  const given = new Set(texts(modes));
  return Object.entries(short)
    .filter(([mode]) => given.has(mode))
    .map(([, name]) => name)
    .join(',');
};

const phase = (object: KubeObject): string =>
  object.metadata.deletionTimestamp === undefined ? text(statusOf(object)['phase']) : 'Terminating';
const attributesClass = column(
  'VolumeAttributesClass',
  (object) => text(specOf(object)['volumeAttributesClassName']) || '<unset>',
);
const mode = wide('VolumeMode', (object) => text(specOf(object)['volumeMode']) || '<unset>');

export const volumeColumns: readonly Column[] = [
  nameColumn,
  column('Capacity', (volume) => text(tree(specOf(volume)['capacity'])['storage'])),
  column('Access Modes', (volume) => modesText(specOf(volume)['accessModes'])),
  column('Reclaim Policy', (volume) => text(specOf(volume)['persistentVolumeReclaimPolicy'])),
  column('Status', phase),
  column('Claim', (volume) => {
    const { claimRef } = specOf(volume);
    return isTree(claimRef) ? `${text(claimRef['namespace'])}/${text(claimRef['name'])}` : '';
  }),
  column('StorageClass', (volume) => text(specOf(volume)['storageClassName'])),
  attributesClass,
  column('Reason', (volume) => text(statusOf(volume)['reason'])),
  ageColumn,
  mode,
];

export const claimColumns: readonly Column[] = [
  nameColumn,
  column('Status', phase),
  column('Volume', (claim) => text(specOf(claim)['volumeName'])),
  column('Capacity', (claim) =>
    text(specOf(claim)['volumeName']) === '' ? '' : text(tree(statusOf(claim)['capacity'])['storage']),
  ),
  column('Access Modes', (claim) =>
    text(specOf(claim)['volumeName']) === '' ? '' : modesText(statusOf(claim)['accessModes']),
  ),
  column('StorageClass', (claim) => text(specOf(claim)['storageClassName'])),
  attributesClass,
  ageColumn,
  mode,
];

const isDefault = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';

export const storageClassColumns: readonly Column[] = [
  { ...nameColumn, value: (of) => `${of.metadata.name ?? ''}${isDefault(of) ? ' (default)' : ''}` },
  column('Provisioner', (of) => text(of['provisioner'])),
  column('ReclaimPolicy', (of) => text(of['reclaimPolicy']) || 'Delete'),
  column('VolumeBindingMode', (of) => text(of['volumeBindingMode']) || '<unset>'),
  column('AllowVolumeExpansion', (of) => of['allowVolumeExpansion'] === true),
  ageColumn,
];

const flag = (name: string, field: string): Column =>
  column(name, (driver) => specOf(driver)[field] === true, 'boolean');

export const csiDriverColumns: readonly Column[] = [
  nameColumn,
  flag('AttachRequired', 'attachRequired'),
  flag('PodInfoOnMount', 'podInfoOnMount'),
  flag('StorageCapacity', 'storageCapacity'),
  column(
    'TokenRequests',
    (driver) =>
      trees(specOf(driver)['tokenRequests'])
        .map(({ audience }) => text(audience))
        .join(',') || '<unset>',
  ),
  flag('RequiresRepublish', 'requiresRepublish'),
  column('Modes', (driver) => texts(specOf(driver)['volumeLifecycleModes']).join(',')),
  ageColumn,
];

export const csiNodeColumns: readonly Column[] = [
  nameColumn,
  column('Drivers', (node) => trees(specOf(node)['drivers']).length, 'integer'),
  ageColumn,
];

export const attachmentColumns: readonly Column[] = [
  nameColumn,
  { ...column('Attacher', (of) => text(specOf(of)['attacher'])), format: 'name' },
  column('PV', (of) => text(tree(specOf(of)['source'])['persistentVolumeName'])),
  column('Node', (of) => text(specOf(of)['nodeName'])),
  column('Attached', (of) => statusOf(of)['attached'] === true, 'boolean'),
  ageColumn,
];

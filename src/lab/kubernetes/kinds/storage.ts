import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { forbiddenField, immutable, invalidValue, notSupported, oneOf, required } from './errors.ts';
import { defaultClaimSpec, defaultVolumeSource } from './pod-defaults.ts';
import { fill, isEmpty, isTree, text, texts, type Tree, tree, within } from './tree.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const checkModes = (wanted: readonly string[]): readonly FieldError[] =>
  wanted.filter((mode) => !modes.includes(mode)).map((mode) => notSupported('spec.accessModes', mode, modes));

/** What is in use is not deleted under those that use it. */
function protect(object: Tree, finalizer: string): void {
  const meta = within(object, 'metadata');
  const finalizers = texts(meta['finalizers']);
  if (!finalizers.includes(finalizer)) meta['finalizers'] = [...finalizers, finalizer];
}

const isDefault = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';

const checkClaim = (claim: KubeObject): readonly FieldError[] => {
  const spec = tree(claim['spec']);
  const wanted = texts(spec['accessModes']);
  return [
    ...(wanted.length === 0
      ? [required('spec.accessModes', 'at least 1 access mode is required')]
      : checkModes(wanted)),
    ...(tree(tree(spec['resources'])['requests'])['storage'] === undefined
      ? [required('spec.resources[storage]')]
      : []),
  ];
};

export const claimStrategy: Strategy = {
  defaults: (claim) => {
    defaultClaimSpec(within(claim, 'spec'));
    fill(within(claim, 'status'), { phase: 'Pending' });
  },
  prepareCreate: (claim, { server }) => {
    claim['status'] = { phase: 'Pending' };
    protect(claim, 'kubernetes.io/pvc-protection');
    const spec = within(claim, 'spec');
    const [standard] = server.list('storage.k8s.io/storageclasses').filter(isDefault);
    if (standard !== undefined) spec['storageClassName'] ??= standard.metadata.name;
  },
  validate: checkClaim,
  validateUpdate: (next, old, { subresource }) => {
    if (subresource !== undefined) return [];
    const isBound = tree(old['status'])['phase'] === 'Bound';
    const fixed = (of: KubeObject): Tree => {
      const { resources, volumeAttributesClassName, volumeName, storageClassName, ...rest } = tree(of['spec']);
      const free = isBound ? {} : { resources, volumeAttributesClassName };
      return {
        ...rest,
        ...free,
        ...(isEmpty(tree(old['spec'])['volumeName']) ? {} : { volumeName }),
        ...(isEmpty(tree(old['spec'])['storageClassName']) ? {} : { storageClassName }),
      };
    };
    return [
      ...checkClaim(next),
      ...(isDeepStrictEqual(fixed(next), fixed(old))
        ? []
        : [
            forbiddenField(
              'spec',
              'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
            ),
          ]),
    ];
  },
};

const notSources = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);
const sourceOf = (spec: Tree): Tree =>
  Object.fromEntries(Object.entries(spec).filter(([name, value]) => !notSources.has(name) && isTree(value)));

const checkVolume = (volume: KubeObject): readonly FieldError[] => {
  const spec = tree(volume['spec']);
  const wanted = texts(spec['accessModes']);
  return [
    ...(wanted.length === 0 ? [required('spec.accessModes')] : checkModes(wanted)),
    ...(isEmpty(spec['capacity']) ? [required('spec.capacity')] : []),
    ...(tree(spec['capacity'])['storage'] === undefined || Object.keys(tree(spec['capacity'])).length > 1
      ? [notSupported('spec.capacity', spec['capacity'], ['storage'])]
      : []),
    ...(isEmpty(sourceOf(spec)) ? [required('spec', 'must specify a volume type')] : []),
  ];
};

export const volumeStrategy: Strategy = {
  defaults: (volume) => {
    const spec = within(volume, 'spec');
    fill(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
    if (isTree(spec['claimRef'])) fill(spec['claimRef'], {});
    defaultVolumeSource(spec);
    fill(within(volume, 'status'), { phase: 'Pending' });
  },
  prepareCreate: (volume, { now }) => {
    volume['status'] = { phase: 'Pending', lastPhaseTransitionTime: `${now.toISOString().slice(0, 19)}Z` };
    protect(volume, 'kubernetes.io/pv-protection');
  },
  validate: checkVolume,
  validateUpdate: (next, old, { subresource }) =>
    subresource === undefined
      ? [
          ...checkVolume(next),
          ...(isDeepStrictEqual(sourceOf(tree(next['spec'])), sourceOf(tree(old['spec'])))
            ? []
            : [
                forbiddenField(
                  'spec.persistentvolumesource',
                  'spec.persistentvolumesource is immutable after creation',
                ),
              ]),
        ]
      : [],
};

const checkClass = (storage: KubeObject): readonly FieldError[] => [
  ...(text(storage['provisioner']) === '' ? [required('provisioner')] : []),
  ...oneOf('reclaimPolicy', storage['reclaimPolicy'], ['Delete', 'Retain']),
  ...oneOf('volumeBindingMode', storage['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer']),
];

export const storageClassStrategy: Strategy = {
  defaults: (storage) => fill(storage, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  validate: checkClass,
  validateUpdate: (next, old) => [
    ...checkClass(next),
    ...['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']
      .filter((field) => !isDeepStrictEqual(next[field], old[field]))
      .map((field) => invalidValue(field, next[field], immutable)),
  ],
};

export const csiDriverStrategy: Strategy = {
  defaults: (driver) => {
    const spec = within(driver, 'spec');
    spec['attachRequired'] ??= true;
    for (const name of ['podInfoOnMount', 'storageCapacity', 'requiresRepublish', 'seLinuxMount']) spec[name] ??= false;
    if (isEmpty(spec['volumeLifecycleModes'])) spec['volumeLifecycleModes'] = ['Persistent'];
    fill(spec, { fsGroupPolicy: 'ReadWriteOnceWithFSType' });
  },
  validate: (driver) =>
    oneOf('spec.fsGroupPolicy', tree(driver['spec'])['fsGroupPolicy'], ['File', 'None', 'ReadWriteOnceWithFSType']),
};

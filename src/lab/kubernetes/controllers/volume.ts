import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Controller } from './loop.ts';
import { amountOf } from './quantity.ts';
import type { Claim, PersistentVolume } from './shapes.ts';
import { all, change, controllerManager, find, isLeaving, itself, keyOf, writeStatus } from './tools.ts';
import type { Tools } from './tools.ts';

const claims = '/persistentvolumeclaims';
const volumes_ = '/persistentvolumes';

/** A volume for each claim: one that fits, or one that is made up. Only a class that is not there is waited for. */
export function volumes(tools: Tools): Controller {
  const { api } = tools;
  const pending = (): readonly string[] =>
    all(api, claims)
      .filter(({ status }) => status?.phase !== 'Bound')
      .map((claim) => `claim ${keyOf(claim)}`);
  return {
    name: 'volume',
    watches: {
      [claims]: (claim, old) => [
        `claim ${keyOf(claim)}`,
        ...(old !== undefined && isLeaving(claim)
          ? [`volume ${(claim['spec'] as Claim['spec']).volumeName ?? ''}`]
          : []),
        `volume ${(claim['spec'] as Claim['spec']).volumeName ?? ''}`,
      ],
      [volumes_]: (volume) => [...itself(volume).map((name) => `volume ${name}`), ...pending()],
      'storage.k8s.io/storageclasses': pending,
    },
    reconcile: (id) => {
      const [kind, key = ''] = id.split(' ');
      if (kind === 'volume') return follow(tools, key);
      const claim = find(api, claims, key);
      if (claim === undefined || isLeaving(claim) || claim.status?.phase === 'Bound') return;
      bind(tools, claim);
    },
  };
}

function bind(tools: Tools, claim: Claim): void {
  const { api, record } = tools;
  const wanted = amountOf(claim.spec.resources?.requests?.['storage']);
  const fits = ({ spec, metadata }: PersistentVolume): boolean =>
    claim.spec.volumeName === metadata.name ||
    (claim.spec.volumeName === undefined &&
      spec.claimRef === undefined &&
      (spec.storageClassName ?? '') === (claim.spec.storageClassName ?? '') &&
      amountOf(spec.capacity?.['storage']) >= wanted &&
      (claim.spec.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode) === true));
  const found = all(api, volumes_).find(fits);
  const className = claim.spec.storageClassName ?? '';
  if (
    found === undefined &&
    className !== '' &&
    api.get('storage.k8s.io/storageclasses', undefined, className) === undefined
  ) {
    writeStatus(api, claims, claim, { phase: 'Pending' }, controllerManager);
    return record({
      about: { ...claim, apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
      type: 'Warning',
      reason: 'ProvisioningFailed',
      message: `storageclass.storage.k8s.io "${className}" not found`,
      from: 'persistentvolume-controller',
    });
  }
  const volume = found ?? provision(tools, claim, className);
  const reference = {
    kind: 'PersistentVolumeClaim',
    namespace: claim.metadata.namespace,
    name: claim.metadata.name,
    uid: claim.metadata.uid,
    apiVersion: 'v1',
  };
  change(
    api,
    volumes_,
    volume,
    ({ spec }) => void Object.assign(spec as object, { claimRef: reference }),
    controllerManager,
  );
  change(
    api,
    claims,
    claim,
    ({ spec, metadata }) => {
      Object.assign(spec as object, { volumeName: volume.metadata.name });
      const meta = metadata as KubeObject['metadata'];
      Object.assign(meta, {
        annotations: {
          ...meta.annotations,
          'pv.kubernetes.io/bind-completed': 'yes',
          'pv.kubernetes.io/bound-by-controller': 'yes',
        },
      });
    },
    controllerManager,
  );
  const fresh = find(api, claims, keyOf(claim)) ?? claim;
  writeStatus(
    api,
    claims,
    fresh,
    { phase: 'Bound', accessModes: volume.spec.accessModes, capacity: volume.spec.capacity },
    controllerManager,
  );
}

function provision({ api, record }: Tools, claim: Claim, className: string): PersistentVolume {
  const name = `pvc-${claim.metadata.uid}`;
  const made = api.create(
    volumes_,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': 'lab.ichor.invalid/twin' } },
      spec: {
        accessModes: claim.spec.accessModes ?? ['ReadWriteOnce'],
        capacity: { storage: claim.spec.resources?.requests?.['storage'] ?? '1Gi' },
        hostPath: { path: `/var/lib/twin/${name}`, type: '' },
        persistentVolumeReclaimPolicy: 'Delete',
        ...(className === '' ? {} : { storageClassName: className }),
        volumeMode: claim.spec.volumeMode ?? 'Filesystem',
      },
      status: { phase: 'Available' },
    },
    controllerManager,
  ) as unknown as PersistentVolume;
  record({
    about: { ...claim, apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    reason: 'ProvisioningSucceeded',
    message: `Successfully provisioned volume ${name}`,
    from: 'persistentvolume-controller',
  });
  return made;
}

function follow({ api }: Tools, name: string): void {
  const volume = find(api, volumes_, name);
  if (volume === undefined || isLeaving(volume)) return;
  const { claimRef, persistentVolumeReclaimPolicy } = volume.spec;
  const claim = claimRef === undefined ? undefined : api.get(claims, claimRef.namespace, claimRef.name ?? '');
  const bound = claim !== undefined && (claimRef?.uid === undefined || claim.metadata.uid === claimRef.uid);
  const phase = claimRef?.uid === undefined ? 'Available' : bound ? 'Bound' : 'Released';
  if (phase === 'Released' && persistentVolumeReclaimPolicy === 'Delete')
    return api.delete(volumes_, undefined, name, {}, controllerManager);
  writeStatus(api, volumes_, volume, { ...volume.status, phase }, controllerManager);
}

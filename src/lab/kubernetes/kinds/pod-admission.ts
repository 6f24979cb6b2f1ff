import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { forbidden } from '../refusal.ts';
import type { StrategyContext } from '../resource.ts';
import { systemClasses } from './priority-class.ts';
import { fill, isEmpty, text, type Tree, trees, within, written } from './tree.ts';

const pods = { group: '', resource: 'pods' };
const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const mirror = 'kubernetes.io/config.mirror';

/** What the server adds to every pod: who it is, how important it is, how long it stays on a node that is lost. */
export function admitPod(pod: Mutable, context: StrategyContext): void {
  const spec = within(pod, 'spec');
  const meta = pod['metadata'] as KubeObject['metadata'];
  const name = meta.name ?? '';
  const { server } = context;
  if (meta.annotations?.[mirror] === undefined) admitAccount(spec, name, meta.namespace ?? '', context);
  admitPriority(
    spec,
    name,
    (of) => server.get('scheduling.k8s.io/priorityclasses', undefined, of),
    () => server.list('scheduling.k8s.io/priorityclasses'),
  );
  admitTolerations(spec);
}

function admitAccount(spec: Tree, pod: string, namespace: string, { server }: StrategyContext): void {
  if (text(spec['serviceAccountName']) === '') spec['serviceAccountName'] = 'default';
  const name = text(spec['serviceAccountName']);
  spec['serviceAccount'] = name;
  const account = server.get('/serviceaccounts', namespace, name);
  if (account === undefined) {
    throw forbidden(
      pods,
      pod,
      `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`,
    );
  }
  if (isEmpty(spec['imagePullSecrets']) && Array.isArray(account['imagePullSecrets'])) {
    spec['imagePullSecrets'] = structuredClone(account['imagePullSecrets']);
  }
  if ((spec['automountServiceAccountToken'] ?? account['automountServiceAccountToken'] ?? true) !== true) return;
  mountToken(spec, () => suffix(server.random(5)));
}

/** Containers that bring a mount of their own at that place keep it. */
function mountToken(spec: Tree, random: () => string): void {
  const containers = [...trees(spec['initContainers']), ...trees(spec['containers'])];
  const without = containers.filter(
    ({ volumeMounts }) => !trees(volumeMounts).some(({ mountPath }) => mountPath === tokenPath),
  );
  const present = trees(spec['volumes']).find((volume) => text(volume['name']).startsWith('kube-api-access-'));
  if (without.length === 0) return;
  const name = present === undefined ? `kube-api-access-${random()}` : text(present['name']);
  if (present === undefined) spec['volumes'] = [...trees(spec['volumes']), tokenVolume(name)];
  for (const container of without) {
    container['volumeMounts'] = [...trees(container['volumeMounts']), { name, readOnly: true, mountPath: tokenPath }];
  }
}

const tokenVolume = (name: string): Tree => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 0o644,
  },
});

/** Signs that make no words. */
const suffix = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => 'bcdfghjklmnpqrstvwxz2456789'.charAt(byte % 27)).join('');

function admitPriority(
  spec: Tree,
  pod: string,
  get: (name: string) => KubeObject | undefined,
  list: () => readonly KubeObject[],
): void {
  const name = text(spec['priorityClassName']);
  const byDefault = name === '' ? list().find((each) => each['globalDefault'] === true) : undefined;
  const found = name === '' ? byDefault : (get(name) ?? systemClasses.find(({ metadata }) => metadata.name === name));
  if (name !== '' && found === undefined) throw forbidden(pods, pod, `no PriorityClass with name ${name} was found`);
  if (byDefault !== undefined) spec['priorityClassName'] = byDefault.metadata.name;
  const priority = Number(found?.['value'] ?? 0);
  if (spec['priority'] !== undefined && spec['priority'] !== priority) {
    throw forbidden(
      pods,
      pod,
      `the integer value of priority (${written(spec['priority'])}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  }
  spec['priority'] = priority;
  fill(spec, { preemptionPolicy: found?.['preemptionPolicy'] ?? 'PreemptLowerPriority' });
}

function admitTolerations(spec: Tree): void {
  const tolerations = trees(spec['tolerations']);
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (taint) =>
      !tolerations.some(
        ({ key, effect }) =>
          (text(key) === taint || text(key) === '') && (effect === 'NoExecute' || text(effect) === ''),
      ),
  );
  if (missing.length === 0) return;
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  spec['tolerations'] = [...tolerations, ...added];
}

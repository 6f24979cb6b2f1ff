import type { Ask, Drift } from '../model/plan.ts';
import type { ConfigChange } from '../model/step.ts';
import { fewOf } from '../spec/names.ts';
import { encryptionChanges, identityChanges, networkChanges } from '../talos/config/for-life.ts';
import { wantedOf, type Situation, type Standing } from './situation.ts';

/** What a cluster keeps for as long as it lives: nothing is done before somebody decides. */
export function forLife(situation: Situation): readonly Ask[] {
  if (situation.etcd === 'none') return [];
  const found = (changesIn: (changes: readonly ConfigChange[]) => readonly ConfigChange[]) =>
    wantedOf(situation).flatMap(({ name, talos }) => {
      const changes = changesIn(talos?.changes ?? []);
      return changes.length === 0 ? [] : [{ name, changes }];
    });
  return [...otherNetworks(found(networkChanges)), ...otherSecrets(found(identityChanges))];
}

type Found = readonly { readonly name: string; readonly changes: readonly ConfigChange[] }[];

const who = (found: Found): string => `${fewOf(found.map(({ name }) => name))} ${found.length === 1 ? 'runs' : 'run'}`;
const pathsIn = (found: Found): string => fewOf([...new Set(found.flatMap(({ changes }) => changes.map(pathOf)))]);
const pathOf = ({ path }: ConfigChange): string => path;

function otherNetworks(found: Found): readonly Ask[] {
  const [first] = found;
  if (first === undefined) return [];
  const differ = first.changes.map(({ path, before, after }) => `${path} is ${before}, not ${after}`);
  return [
    {
      code: 'networks-changed',
      message: `${who(found)} with other networks, or another domain, of pods and services than the file says: ${differ.join('; ')}. Everything in a cluster has addresses and names of them, so that it keeps them as long as it lives.`,
      remedy:
        'Set pods, services and domain under cluster.network back to what is there; other ones are for another cluster:\n    ichor plan',
    },
  ];
}

const otherSecrets = (found: Found): readonly Ask[] =>
  found.length === 0
    ? []
    : [
        {
          code: 'secrets-other',
          message: `${who(found)} with other secrets than talos/secrets.yaml has: ${pathsIn(found)}. With others machines would not know each other any more, and what etcd holds could not be read.`,
          remedy:
            'Bring back the talos/secrets.yaml that it was configured with; where somebody rotated them on the machines, make it again from a control plane’s configuration:\n    talosctl gen secrets --from-controlplane-config controlplane.yaml -o talos/secrets.yaml',
        },
      ];

/** A machine is left as it is while its partitions are encrypted otherwise than the file says: it would not start again. */
export const isLockedOtherwise = ({ talos }: Standing): boolean => encryptionChanges(talos?.changes ?? []).length > 0;

/** What becomes of one changed value of a machine. */
export function fateOf(
  { name, seen, talos }: Standing,
  change: ConfigChange,
): Pick<Drift, 'kind' | 'because' | 'remedy'> {
  const changes = talos?.changes ?? [];
  if (networkChanges(changes).includes(change))
    return {
      kind: 'danger',
      because: 'everything in the cluster has addresses or names of it',
      remedy: 'Set it back in the file:\n    ichor plan',
    };
  if (identityChanges(changes).includes(change))
    return {
      kind: 'danger',
      because: 'without it nobody knows anybody, or nothing can be read',
      remedy: 'Bring back the secrets that it was configured with:\n    ichor plan',
    };
  const locked = encryptionChanges(changes);
  if (locked.includes(change))
    return {
      kind: 'danger',
      because: 'Talos encrypts only what is empty, and a machine that has data would not start again',
      remedy: `Set cluster.encryption back; or, if the data of ${name} may go, wipe it, one machine at a time, and let it be configured anew:\n    ichor talos reset -n ${seen?.address ?? 'ADDRESS'} --system-labels-to-wipe STATE,EPHEMERAL --reboot && ichor up`,
    };
  if (locked.length > 0) return { kind: 'keep', because: 'it is left as it is until its encryption is decided' };
  return { kind: 'correct', because: 'its configuration is ours to keep' };
}

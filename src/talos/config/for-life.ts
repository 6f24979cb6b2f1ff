import type { ConfigChange } from '../../model/step.ts';

const networks = /^(?:cluster\.network|KubeNetworkConfig)\.(?:podSubnets|serviceSubnets|dnsDomain)\b/;

const secrets = new RegExp(
  [
    String.raw`^cluster\.(?:id|secret|ca|etcd\.ca|aggregatorCA|serviceAccount|secretboxEncryptionSecret|aescbcEncryptionSecret)\b`,
    String.raw`^machine\.ca\b`,
    String.raw`^Kube(?:APIServerCA|AggregatorCA)Config\.issuingCA\b`,
    String.raw`^KubeServiceAccountConfig\.issuer\.privateKey\b`,
    String.raw`^KubeEtcdEncryptionConfig\.config\b`,
  ].join('|'),
);

const encryption = /^(?:machine\.systemDiskEncryption|VolumeConfig\.(?:STATE|EPHEMERAL)\.encryption)\b/;

const becomesOther = ({ before, after }: ConfigChange): boolean => before !== undefined && after !== undefined;

/** What appears in one place while it goes in another is written down anew, as another contract does, and is the same. */
const isMoved = (changes: readonly ConfigChange[]): boolean =>
  changes.some(({ before }) => before === undefined) && changes.some(({ after }) => after === undefined);

/** Networks of pods and services, and their domain: everything in a cluster has addresses and names of them. */
export const networkChanges = (changes: readonly ConfigChange[]): readonly ConfigChange[] =>
  changes.filter((change) => networks.test(change.path) && becomesOther(change));

/** What a cluster is known by, and what etcd is written with: with others nobody knows anybody, and nothing can be read. */
export const identityChanges = (changes: readonly ConfigChange[]): readonly ConfigChange[] =>
  changes.filter((change) => secrets.test(change.path) && becomesOther(change));

/** Talos encrypts partitions only while they are empty: with another wish for those that are not, a machine does not start. */
export function encryptionChanges(changes: readonly ConfigChange[]): readonly ConfigChange[] {
  const found = changes.filter(({ path }) => encryption.test(path));
  return isMoved(found) && !found.some(becomesOther) ? [] : found;
}

import { Problem, Problems } from '../../model/problem.ts';
import type { Path } from '../../spec/tree.ts';
import type { CertificateAndKey, SecretsBundle } from './bundle.ts';
import { Given, openSecretFile, type Place } from './given.ts';
import { keyAt, pairAt } from './pairs.ts';

const remedy =
  'Restore the file from a backup, or rebuild it from a control plane’s config:\n' +
  '    talosctl gen secrets --from-controlplane-config controlplane.yaml';

/** A bundle as `talosctl gen secrets` or ichor wrote it. Throws Problems, with a place each and no secret in any. */
export function readSecrets(text: string, file: string): SecretsBundle {
  const [tree] = openSecretFile(text, file);
  if (tree?.kind !== 'map') {
    const at = { file, line: 1, column: 1, length: 1 };
    throw new Problems([new Problem('secret-missing', 'There are no secrets in this file.', { at, remedy })]);
  }
  const given = new Given(remedy);
  const at = (...path: Path): Place => ({ tree, path });
  const pair = (name: string): CertificateAndKey =>
    pairAt({ crt: at('certs', name, 'crt'), key: at('certs', name, 'key'), packing: 'base64' }, given);
  return given.settle({
    cluster: { id: given.text(at('cluster', 'id')), secret: given.text(at('cluster', 'secret')) },
    secrets: {
      bootstraptoken: given.text(at('secrets', 'bootstraptoken')),
      ...encryptionAt(at('secrets', 'secretboxencryptionsecret'), at('secrets', 'aescbcencryptionsecret'), given),
    },
    trustdinfo: { token: given.text(at('trustdinfo', 'token')) },
    certs: {
      etcd: pair('etcd'),
      k8s: pair('k8s'),
      k8saggregator: pair('k8saggregator'),
      k8sserviceaccount: { key: keyAt(at('certs', 'k8sserviceaccount', 'key'), 'base64', given) },
      os: pair('os'),
    },
  });
}

type Encryption = Pick<SecretsBundle['secrets'], 'secretboxencryptionsecret' | 'aescbcencryptionsecret'>;

/** Exactly one of the two; clusters that began before Talos 1.3 have the second. */
export function encryptionAt(secretbox: Place, aescbc: Place, given: Given): Encryption {
  const [newer, older] = [given.optional(secretbox), given.optional(aescbc)];
  if (newer !== undefined && older !== undefined)
    given.wrong(aescbc, 'is given beside the newer secretbox secret, and only one of them can be in use');
  if (newer === undefined && older === undefined) given.missing(secretbox);
  return {
    ...(newer === undefined ? {} : { secretboxencryptionsecret: newer }),
    ...(older === undefined ? {} : { aescbcencryptionsecret: older }),
  };
}

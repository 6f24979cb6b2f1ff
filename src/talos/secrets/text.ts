import { stringify } from 'yaml';
import { toBase64 } from '../pki/pem.ts';
import type { CertificateAndKey, SecretsBundle } from './bundle.ts';

/** The file of `talosctl gen secrets`, to the byte. */
export function secretsText({ cluster, secrets, trustdinfo, certs }: SecretsBundle): string {
  const file = {
    cluster: { id: cluster.id, secret: cluster.secret },
    secrets: {
      bootstraptoken: secrets.bootstraptoken,
      ...(secrets.aescbcencryptionsecret === undefined
        ? {}
        : { aescbcencryptionsecret: secrets.aescbcencryptionsecret }),
      ...(secrets.secretboxencryptionsecret === undefined
        ? {}
        : { secretboxencryptionsecret: secrets.secretboxencryptionsecret }),
    },
    trustdinfo: { token: trustdinfo.token },
    certs: {
      etcd: encoded(certs.etcd),
      k8s: encoded(certs.k8s),
      k8saggregator: encoded(certs.k8saggregator),
      k8sserviceaccount: { key: toBase64(certs.k8sserviceaccount.key) },
      os: encoded(certs.os),
    },
  };
  return stringify(file, { indent: 4, lineWidth: 0, aliasDuplicateObjects: false });
}

const encoded = ({ crt, key }: CertificateAndKey): CertificateAndKey => ({ crt: toBase64(crt), key: toBase64(key) });

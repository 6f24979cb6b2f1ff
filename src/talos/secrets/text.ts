import { stringify } from 'yaml';
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
      k8sserviceaccount: { key: base64(certs.k8sserviceaccount.key) },
      os: encoded(certs.os),
    },
  };
  return stringify(file, { indent: 4, lineWidth: 0, aliasDuplicateObjects: false });
}

const encoded = ({ crt, key }: CertificateAndKey): CertificateAndKey => ({ crt: base64(crt), key: base64(key) });

const base64 = (text: string): string => Buffer.from(text).toString('base64');

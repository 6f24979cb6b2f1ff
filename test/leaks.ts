import { readSecrets } from '../src/talos/secrets/read.ts';

/** Everything in a bundle that nobody may see: tokens, secrets and keys, in every form that they are written in. */
export function hiddenIn(secretsText: string): readonly string[] {
  const { cluster, secrets, trustdinfo, certs } = readSecrets(secretsText, 'secrets.yaml');
  const keys = [certs.etcd, certs.k8s, certs.k8saggregator, certs.k8sserviceaccount, certs.os].flatMap(({ key }) => [
    Buffer.from(key).toString('base64'),
    ...key.split('\n').filter((line) => line.length > 20 && !line.startsWith('-----')),
  ]);
  return [cluster.secret, trustdinfo.token, ...Object.values(secrets), ...keys];
}

/** Which of them a text shows. */
export const leaks = (text: string, hidden: readonly string[]): readonly string[] =>
  hidden.filter((secret) => text.includes(secret)).map((secret) => `${secret.slice(0, 3)}… (${secret.length})`);

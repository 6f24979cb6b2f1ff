import { platformIdentities } from '../src/plan/proof.ts';
import type { Platform } from '../src/spec/platform.ts';
import { read } from '../src/spec/read.ts';
import { referencesOf } from '../src/talos/config/references.ts';
import type { ConfigRequest } from '../src/talos/config/request.ts';
import type { SecretsBundle } from '../src/talos/secrets/bundle.ts';

/** A bundle of which every value is its own name: nothing in it could be a secret. */
export const namedBundle: SecretsBundle = {
  cluster: { id: 'cluster.id', secret: 'cluster.secret' },
  secrets: { bootstraptoken: 'secrets.bootstraptoken', secretboxencryptionsecret: 'secrets.secretbox' },
  trustdinfo: { token: 'trustdinfo.token' },
  certs: {
    etcd: { crt: 'certs.etcd.crt', key: 'certs.etcd.key' },
    k8s: { crt: 'certs.k8s.crt', key: 'certs.k8s.key' },
    k8saggregator: { crt: 'certs.k8saggregator.crt', key: 'certs.k8saggregator.key' },
    k8sserviceaccount: { key: 'certs.k8sserviceaccount.key' },
    os: { crt: 'certs.os.crt', key: 'certs.os.key' },
  },
};

export function platformOf(text: string): Platform {
  const { platforms, problems } = read({ sources: [{ name: 'platform.yaml', content: text }] });
  const [platform] = platforms;
  if (platform === undefined)
    throw new Error(problems.map((problem) => `${problem.path}: ${problem.message}`).join('\n'));
  return platform;
}

/** Everything that a platform's configurations are made of; what the file refers to is there as "text of REFERENCE". */
export function requestFor(platform: Platform, secrets: SecretsBundle = namedBundle): ConfigRequest {
  return {
    platform,
    secrets,
    resolved: new Map(
      referencesOf(platform).map(({ key, path }) => [
        key,
        path.endsWith('.ca') ? secrets.certs.os.crt : `text of ${key}`,
      ]),
    ),
    identities: new Map(platformIdentities(platform, undefined).map(([{ name }, identity]) => [name, identity])),
  };
}

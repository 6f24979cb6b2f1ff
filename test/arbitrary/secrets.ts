import fc from 'fast-check';
import { contracts } from '../../src/talos/config/contract.ts';
import type { SecretsBundle } from '../../src/talos/secrets/bundle.ts';
import { newSecrets } from '../../src/talos/secrets/new.ts';
import { seededEntropy, testClock } from '../entropy.ts';

const pool = new Map<string, Promise<SecretsBundle>>();

/** Bundles are costly to make, so there is one for each seed of a small pool. */
export const aBundle = (
  seed: number,
  contract = contracts[seed % contracts.length] ?? '1.13',
): Promise<SecretsBundle> => {
  const name = `${seed}/${contract}`;
  const made = pool.get(name) ?? newSecrets(seededEntropy(name), testClock, contract);
  pool.set(name, made);
  return made;
};

const printable = fc.stringMatching(/^[ -~]{1,40}$/).filter((text) => text.trim() === text);

/** Real keys and certificates, mixed from several bundles; the rest is any text that a person might have put there. */
export const anyBundle = async (): Promise<fc.Arbitrary<SecretsBundle>> => {
  const bundles = await Promise.all([0, 1, 2, 3, 4, 5].map((seed) => aBundle(seed)));
  const bundle = fc.constantFrom(...bundles);
  const text = fc.oneof(
    printable,
    bundle.map(({ cluster }) => cluster.secret),
    fc.stringMatching(/^[0-9]{6}\.[0-9e]{16}$/),
  );
  return fc
    .record({
      first: bundle,
      second: bundle,
      older: fc.boolean(),
      texts: fc.array(text, { minLength: 5, maxLength: 5 }),
    })
    .map(
      ({ first, second, older, texts: [id = '', secret = '', bootstraptoken = '', encryption = '', token = ''] }) => ({
        cluster: { id, secret },
        secrets: { bootstraptoken, [older ? 'aescbcencryptionsecret' : 'secretboxencryptionsecret']: encryption },
        trustdinfo: { token },
        certs: { ...first.certs, k8s: second.certs.k8s, os: second.certs.os },
      }),
    );
};

/** Every text of a bundle that nobody else may see: values, PEM bodies, and both in base64. */
export function secretTexts({ cluster, secrets, trustdinfo, certs }: SecretsBundle): readonly string[] {
  const plain = [cluster.secret, ...Object.values(secrets), trustdinfo.token];
  const keys = Object.values(certs).map(({ key }) => key);
  const bodies = keys.flatMap((key) => key.split('\n').filter((line) => line !== '' && !line.startsWith('-----')));
  return [...plain, ...bodies, ...keys.map((key) => Buffer.from(key).toString('base64'))];
}

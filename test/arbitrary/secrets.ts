import fc from 'fast-check';
import { inspect } from 'node:util';
import { Problem, Problems } from '../../src/model/problem.ts';
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

const inserts = ['', ':', '\n', '- ', '"', '{', ' ', '&', '\t', '---\n', '? ', '<<: '];

/** A text with some of it cut out, and other things put there. */
export const brokenFrom = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.record({ at: fc.nat(text.length), length: fc.nat(60), insert: fc.constantFrom(...inserts) }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((cuts) =>
      cuts.reduce((given, { at, length, insert }) => given.slice(0, at) + insert + given.slice(at + length), text),
    );

/** Everything that a reader says about a text: messages, remedies and places of problems, whatever it throws. */
export function saidBy(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    const problems = error instanceof Problems ? error.problems : [error];
    const shown = problems.map((problem) => {
      if (!(problem instanceof Problem)) return inspect(problem);
      const { code, message, remedy, path, at } = problem;
      return { code, message, remedy, path, at };
    });
    return JSON.stringify(shown) + (error instanceof Problems ? [...error.texts.values()].join('') : '');
  }
}

/** Longer than any word that is said, and no secret is shorter than its beginning. */
export const looksLikeASecret = /[A-Za-z0-9+/]{26}/;

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { aBundle, brokenFrom, looksLikeASecret, saidBy, secretTexts } from '../../../test/arbitrary/secrets.ts';
import { sweep } from '../../../test/sweep.ts';
import { Problems } from '../../model/problem.ts';
import { toBase64 } from '../pki/pem.ts';
import type { SecretsBundle } from './bundle.ts';
import { readSecrets } from './read.ts';
import { secretsText } from './text.ts';

let bundle: SecretsBundle;
let other: SecretsBundle;
let text: string;
beforeAll(async () => {
  [bundle, other] = await Promise.all([aBundle(0), aBundle(1)]);
  text = secretsText(bundle);
});

/** One line for each problem: place, code, message. */
function complaints(broken: string): readonly string[] {
  try {
    readSecrets(broken, 'secrets.yaml');
    return [];
  } catch (error) {
    if (!(error instanceof Problems)) throw error;
    expect(error.problems.filter(({ remedy }) => remedy === '')).toEqual([]);
    expect(error.texts.size).toBe(0);
    return error.problems.map(({ at, code, message }) => `${at?.file}:${at?.line}:${at?.column} ${code}: ${message}`);
  }
}

describe('what is wrong is said with its place', () => {
  test.each<[name: string, change: (text: string) => string, says: readonly string[]]>([
    ['nothing in it', () => '', ['secrets.yaml:1:1 secret-missing: There are no secrets in this file.']],
    ['a list', () => '- a\n', ['secrets.yaml:1:1 secret-missing: There are no secrets in this file.']],
    [
      'no id',
      (given) => given.replace(/ {4}id: .*\n/, ''),
      ['secrets.yaml:1:1 secret-missing: cluster.id is missing.'],
    ],
    [
      'an empty token',
      (given) => given.replace(/( {4}token:) .*/, '$1 ""'),
      ['secrets.yaml:8:5 secret-missing: trustdinfo.token is missing.'],
    ],
    [
      'a mapping for a secret',
      (given) => given.replace(/( {4}secret:) .*/, '$1 {}'),
      ['secrets.yaml:3:5 secret-wrong: cluster.secret must be text.'],
    ],
    [
      'no section of secrets',
      (given) => given.replace(/^secrets:\n(?: {4}.*\n)+/m, ''),
      [
        'secrets.yaml:1:1 secret-missing: secrets.bootstraptoken is missing.',
        'secrets.yaml:1:1 secret-missing: secrets.secretboxencryptionsecret is missing.',
      ],
    ],
    [
      'both encryption secrets',
      (given) => given.replace(/( {4}secretbox.*\n)/, '$1    aescbcencryptionsecret: abc\n'),
      [
        'secrets.yaml:7:5 secret-wrong: secrets.aescbcencryptionsecret is given beside the newer secretbox secret, and only one of them can be in use.',
      ],
    ],
    [
      'a key blanked out',
      (given) => given.replace(/( {4}os:\n.*\n {8}key:) .*/, '$1 "******"'),
      ['secrets.yaml:23:9 secret-wrong: certs.os.key is blanked out.'],
    ],
    [
      'no base64',
      (given) => given.replace(/( {4}etcd:\n {8}crt:) .*/, '$1 abc'),
      ['secrets.yaml:11:9 secret-wrong: certs.etcd.crt is not base64.'],
    ],
    [
      'a certificate where a key belongs',
      (given) => given.replace(/( {8}key:) .*/, `$1 ${toBase64(bundle.certs.etcd.crt)}`),
      ['secrets.yaml:12:9 secret-wrong: certs.etcd.key holds no private key.'],
    ],
    [
      'a key where a certificate belongs',
      (given) => given.replace(/( {8}crt:) .*/, `$1 ${toBase64(bundle.certs.etcd.key)}`),
      ['secrets.yaml:11:9 secret-wrong: certs.etcd.crt holds no certificate.'],
    ],
    [
      'the key of another authority',
      (given) => given.replace(toBase64(bundle.certs.k8s.key), toBase64(other.certs.k8s.key)),
      ['secrets.yaml:15:9 secret-wrong: certs.k8s.key does not belong to the certificate beside it.'],
    ],
    [
      'no service account',
      (given) => given.replace(/ {4}k8sserviceaccount:\n.*\n/, ''),
      ['secrets.yaml:9:1 secret-missing: certs.k8sserviceaccount.key is missing.'],
    ],
    [
      'the same key twice',
      (given) => `${given}cluster:\n    id: a\n`,
      ['secrets.yaml:24:1 duplicate-key: This key is given twice.'],
    ],
  ])('%s', (_, change, says) => {
    expect(complaints(change(text))).toEqual(says);
  });
});

test('a token without quotes that looks like a number is taken as it is written', () => {
  const read = readSecrets(text.replace(/( {4}token:) .*/, '$1 123456.1234567890123450'), 'secrets.yaml');
  expect(read.trustdinfo.token).toBe('123456.1234567890123450');
});

test('base64 in lines, and other orders and comments, are read', () => {
  const folded = text.replace(/( {8}crt: )(.{20})(.*)/, '$1>-\n          $2\n          $3');
  expect(readSecrets(`# ours\n${folded}`, 'secrets.yaml')).toEqual(bundle);
});

test('whatever is wrong with a file, no secret of it is in what is said', () => {
  const secrets = secretTexts(bundle).filter((secret) => secret.length >= 8);
  const property = fc.property(brokenFrom(text), (broken) => {
    const said = saidBy(() => readSecrets(broken, 'secrets.yaml'));
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
    expect(said).not.toMatch(looksLikeASecret);
  });
  fc.assert(property, sweep('broken secrets', 100, 2000));
});

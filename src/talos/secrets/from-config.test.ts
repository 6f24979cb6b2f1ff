import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { aBundle, brokenFrom, looksLikeASecret, saidBy, secretTexts } from '../../../test/arbitrary/secrets.ts';
import { sweep } from '../../../test/sweep.ts';
import { Problems } from '../../model/problem.ts';
import { toBase64 } from '../pki/pem.ts';
import type { CertificateAndKey, SecretsBundle } from './bundle.ts';
import { secretsFromControlPlaneConfig } from './from-config.ts';

const packed = ({ crt, key }: CertificateAndKey): object => ({ crt: toBase64(crt), key: toBase64(key) });
const plain = ({ crt, key }: CertificateAndKey): object => ({ cert: crt.trimEnd(), key: key.trimEnd() });
const documents = (...all: readonly object[]): string => all.map((document) => stringify(document)).join('---\n');

const before14 = ({ cluster, secrets, trustdinfo, certs }: SecretsBundle, type = 'controlplane'): string =>
  documents(
    {
      version: 'v1alpha1',
      machine: { type, token: trustdinfo.token, ca: packed(certs.os) },
      cluster: {
        ...cluster,
        token: secrets.bootstraptoken,
        secretboxEncryptionSecret: secrets.secretboxencryptionsecret,
        aescbcEncryptionSecret: secrets.aescbcencryptionsecret ?? '',
        ca: packed(certs.k8s),
        aggregatorCA: packed(certs.k8saggregator),
        serviceAccount: { key: toBase64(certs.k8sserviceaccount.key) },
        etcd: { ca: packed(certs.etcd) },
      },
    },
    { apiVersion: 'v1alpha1', kind: 'HostnameConfig', auto: 'stable' },
  );

const from14 = ({ cluster, secrets, trustdinfo, certs }: SecretsBundle, provider = 'secretbox'): string =>
  documents(
    {
      version: 'v1alpha1',
      machine: { type: 'controlplane', token: trustdinfo.token, ca: packed(certs.os) },
      cluster: { token: secrets.bootstraptoken, etcd: { ca: packed(certs.etcd) } },
    },
    { kind: 'KubeAPIServerCAConfig', issuingCA: plain(certs.k8s) },
    { kind: 'KubeAggregatorCAConfig', issuingCA: plain(certs.k8saggregator) },
    { kind: 'KubeServiceAccountConfig', issuer: { privateKey: certs.k8sserviceaccount.key.trimEnd() } },
    {
      kind: 'KubeEtcdEncryptionConfig',
      config: {
        resources: [
          { resources: ['configmaps'], providers: [{ identity: {} }] },
          {
            resources: ['secrets'],
            providers: [
              { [provider]: { keys: [{ name: 'key2', secret: secrets.secretboxencryptionsecret }] } },
              { identity: {} },
            ],
          },
        ],
      },
    },
    { kind: 'DiscoveryIdentityConfig', clusterID: cluster.id, clusterSecret: cluster.secret },
  );

let bundle: SecretsBundle;
beforeAll(async () => {
  bundle = await aBundle(0);
});

const saidAbout = (text: string): readonly string[] => {
  try {
    secretsFromControlPlaneConfig(text, 'cp.yaml');
    return [];
  } catch (error) {
    if (!(error instanceof Problems)) throw error;
    return error.problems.map(({ at, code, message }) => `${at?.line}:${at?.column} ${code}: ${message}`);
  }
};

describe('a control plane’s config gives the bundle back', () => {
  test('as one document', () => {
    expect(secretsFromControlPlaneConfig(before14(bundle), 'cp.yaml')).toEqual(bundle);
  });

  test('as the documents of 1.14, whose keys are plain PEM', () => {
    expect(secretsFromControlPlaneConfig(from14(bundle), 'cp.yaml')).toEqual(bundle);
  });

  test('as the documents of 1.14, of a cluster that began with the older encryption', () => {
    const { secretboxencryptionsecret: secret = '', ...secrets } = bundle.secrets;
    expect(secretsFromControlPlaneConfig(from14(bundle, 'aescbc'), 'cp.yaml')).toEqual({
      ...bundle,
      secrets: { ...secrets, aescbcencryptionsecret: secret },
    });
  });
});

test('a worker’s config, another document or nothing is no source', () => {
  const says = 'This is not the config of a control plane; only that has all of a cluster’s secrets.';
  const line = `1:1 not-a-control-plane: ${says}`;
  expect([before14(bundle, 'worker'), 'kind: HostnameConfig\n', ''].map(saidAbout)).toEqual([[line], [line], [line]]);
});

test('what a config lacks is named as the config names it', () => {
  const lacking = from14(bundle)
    .replace(/clusterID: .*/, '')
    .replace(/secret: .*\n/, '\n')
    .replace(/privateKey: [^]*?-----END RSA PRIVATE KEY-----/, '');
  expect(saidAbout(lacking).map((line) => line.replace(/^\S+ /, ''))).toEqual([
    'secret-missing: clusterID is missing.',
    'secret-missing: config.resources[1].providers[0].secretbox.keys[0].secret is missing.',
    'secret-missing: issuer.privateKey is missing.',
  ]);
});

test('whatever is wrong with a config, no secret of it is in what is said', () => {
  const secrets = secretTexts(bundle).filter((secret) => secret.length >= 8);
  const broken = fc.oneof(brokenFrom(before14(bundle)), brokenFrom(from14(bundle)));
  const property = fc.property(broken, (text) => {
    const said = saidBy(() => secretsFromControlPlaneConfig(text, 'cp.yaml'));
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
    expect(said).not.toMatch(looksLikeASecret);
  });
  fc.assert(property, sweep('broken configs', 60, 1500));
});

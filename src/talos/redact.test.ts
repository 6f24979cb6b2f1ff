import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sweep } from '../../test/sweep.ts';
import { secretConfig, withoutCertificates } from '../../test/talos-secrets.ts';
import { configText } from './config/text.ts';
import { maskerFor, secretsOf } from './mask.ts';
import { redactConfig } from './redact.ts';

const keyLine = 'MHcCAQEEIGd3b2tleXdva2V5d29rZXl3b2tleXdva2V5oAoGCCqGSM49AwEHoUQD';
const pem = `-----BEGIN EC PRIVATE KEY-----\n${keyLine}\nQgAE12==\n-----END EC PRIVATE KEY-----\n`;

describe('secrets are masked', () => {
  test.each([
    ['a field', 'machine:\n    token: abc def', 'machine:\n    token: ******'],
    ['a field that is empty', 'ca:\n    key: ""', 'ca:\n    key: ""'],
    [
      'a mapping with a secret name',
      'auth:\n    username: me\n    password: "x: y"',
      'auth:\n    username: me\n    password: ******',
    ],
    [
      'a diff',
      '-    secret: old\n+    secret: new\n     id: x',
      '-    secret: ******\n+    secret: ******\n     id: x',
    ],
    [
      'a text below a field',
      'privateKey: |\n    one\n    two\nnext: 1',
      'privateKey: ******\n    ******\n    ******\nnext: 1',
    ],
    ['an item of a list', '- key: abc\n  slot: 0', '- key: ******\n  slot: 0'],
    ['an environment', 'environment:\n    - TS_AUTHKEY=tskey-1234', 'environment:\n    - TS_AUTHKEY=******'],
    ['a flow mapping', 'ca: { crt: x, key: y }', 'ca: { crt: x, key: ****** }'],
    ['JSON', '{"token":"abc\\"d","name":"n"}', '{"token":******,"name":"n"}'],
    ['a PEM text', pem, '-----BEGIN EC PRIVATE KEY-----\n******\n******\n-----END EC PRIVATE KEY-----\n'],
    ['the end of a PEM text', 'QgAE12==\n-----END EC PRIVATE KEY-----', '******\n-----END EC PRIVATE KEY-----'],
    [
      'the beginning of one in a diff',
      `+  x: |\n+    -----BEGIN KEY-----\n+    ${keyLine}`,
      '+  x: |\n+    -----BEGIN KEY-----\n+    ******',
    ],
    ['a PEM text in a line', `x: "${pem.replaceAll('\n', '\\n')}"`, 'x: "-----BEGIN EC PRIVATE KEY-----******"'],
    ['base64 of a PEM text', `crt: ${Buffer.from(pem).toString('base64')}`, 'crt: ******'],
    ['a bootstrap token anywhere', 'invalid token abcdef.0123456789abcdef given', 'invalid token ****** given'],
    ['32 bytes in base64', 'id: 3Kf9-2hVbT0aPq_7LmNwXyZ1cD4eF5gH6iJ8kS2uR0o=', 'id: ******'],
    ['a password in a URL', 'url: https://me:pass@host/', 'url: https://me:******@host/'],
    ['a token in a URL', 'apiUrl: grpc://host?jointoken=abc&x=1', 'apiUrl: grpc://host?jointoken=******&x=1'],
    ['a Secret of Kubernetes', 'stringData:\n  a: b\nkind: Secret', 'stringData:\n  ******\nkind: Secret'],
  ])('%s', (_, text, shown) => {
    expect(redactConfig(text)).toBe(shown);
  });

  test.each([
    'image: factory.talos.dev/metal-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.13.9',
    'image: registry.k8s.io/pause@sha256:7c38f24774e3cbd906d2d33c38354ccf787635581c122965132c9bd309754d4a',
    'mountPath: /var/lib/kubelet/seccomp/profiles/of/a/very/long/path/without/dots',
    'node.kubernetes.io/exclude-from-external-load-balancers: ""',
    'extraArgs:\n    - --oidc-issuer-url=https://login.example.org/realms/platform',
  ])('%s is no secret', (text) => {
    expect(redactConfig(text)).toBe(text);
  });
});

/** The last line of a key may be four letters, the same ones for every key of its kind. */
const isTelling = (secret: string): boolean => secret.length >= 16;

const fail = (): never => {
  throw new Error('There is such a text.');
};

/** Some lines of a text, each with a mark as in a diff. */
const excerptOf = (text: string, from: number, length: number, mark: string): string =>
  text
    .split('\n')
    .slice(from, from + length)
    .map((line) => mark + line)
    .join('\n');

test('nothing secret of a bundle is left in any lines of a configuration, whether the bundle is known or not', async () => {
  const versions = [
    ['1.9', 'v1.9.0'],
    ['1.13', 'v1.13.9'],
    ['1.14', 'v1.14.0'],
  ] as const;
  const made = await Promise.all(versions.map(([contract, version], seed) => secretConfig(seed, contract, version)));
  const texts = made.flatMap(({ bundle, configs }) => {
    const hidden = secretsOf({ ...bundle, certs: withoutCertificates(bundle.certs) }).filter(isTelling);
    const mask = maskerFor(bundle);
    return configs.map((config) => ({ text: configText(config), mask, hidden }));
  });
  fc.assert(
    fc.property(
      // By number: what fast-check prints of a failure must not be a configuration.
      fc.nat({ max: texts.length - 1 }),
      fc.nat({ max: 400 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom('', '+', '-', ' '),
      (index, from, length, mark) => {
        const { text, mask, hidden } = texts[index] ?? fail();
        const excerpt = excerptOf(text, from % text.split('\n').length, length, mark);
        const left = (shown: string): number => hidden.filter((secret) => shown.includes(secret)).length;
        expect({ unknown: left(redactConfig(excerpt)), known: left(mask(excerpt)) }).toEqual({ unknown: 0, known: 0 });
      },
    ),
    sweep('excerpts of configurations', 150, 5000),
  );
});

test('of a known bundle not even a piece is left, however a text is cut', async () => {
  const { bundle, configs } = await secretConfig(7, '1.13');
  const mask = maskerFor(bundle);
  const text = configs.map(configText).join('---\n');
  const secrets = secretsOf(bundle);
  fc.assert(
    fc.property(fc.nat({ max: text.length }), fc.integer({ min: 1, max: 3000 }), (from, length) => {
      const shown = mask(text.slice(from, from + length));
      const pieces = secrets.filter((secret) =>
        Array.from({ length: Math.max(1, secret.length - 11) }, (_, at) => secret.slice(at, at + 12)).some((piece) =>
          shown.includes(piece),
        ),
      );
      expect(pieces.length).toBe(0);
    }),
    sweep('pieces of configurations', 25, 1000),
  );
});

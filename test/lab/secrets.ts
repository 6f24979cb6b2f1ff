import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { der, integer, oid, sequence, tag, time } from '../../src/lab/pki/der.ts';
import { issuerOf, issueWithKey, pem, talosKeyPem } from '../../src/lab/pki/issue.ts';
import { nameOf, oids } from '../../src/lab/pki/names.ts';

export type TestCa = { readonly crt: string; readonly key: string };

/** A CA as Talos makes its own; for tests, so that nothing of the product is in the loop. */
export function makeCa(organization: string, kind: 'ed25519' | 'ec' = 'ec'): TestCa {
  const { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject } =
    kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(oid(kind === 'ed25519' ? oids.ed25519 : oids.ecdsaSha256));
  const name = nameOf({ organizations: [organization] });
  const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(tag.octetString, value));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - 60_000)), time(new Date(Date.now() + 10 * 365 * 86_400_000))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension(oids.basicConstraints, sequence(der(tag.boolean, Buffer.from([0xff])))),
        extension(oids.keyUsage, der(tag.bitString, Buffer.from([2, 0x84]))),
        extension(oids.subjectKeyIdentifier, der(tag.octetString, randomBytes(20))),
      ),
    ),
  );
  const signature = sign(kind === 'ed25519' ? null : 'sha256', body, privateKey);
  return {
    crt: pem('CERTIFICATE', sequence(body, algorithm, der(tag.bitString, Buffer.from([0]), signature))),
    key: talosKeyPem(privateKey),
  };
}

export type ClientCertificate = { readonly crt: string; readonly key: string };

/** Who comes with these roles; the key has OpenSSL’s label. */
export function clientOf(
  ca: TestCa,
  roles: readonly string[],
  {
    purposes = ['client'],
    days = 1,
  }: { readonly purposes?: readonly ('client' | 'server')[]; readonly days?: number } = {},
): ClientCertificate {
  const { crt, key } = issueWithKey(issuerOf(ca.crt, ca.key), {
    subject: { organizations: roles },
    usage: ['digitalSignature'],
    purposes,
    notBefore: new Date(Date.now() - 2 * 86_400_000),
    notAfter: new Date(Date.now() + days * 86_400_000),
  });
  return { crt, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

export type TestSecrets = {
  readonly os: TestCa;
  readonly etcd: TestCa;
  readonly kubernetes: TestCa;
  readonly aggregator: TestCa;
  readonly token: string;
  readonly id: string;
};

export const makeSecrets = (): TestSecrets => ({
  os: makeCa('talos', 'ed25519'),
  etcd: makeCa('etcd'),
  kubernetes: makeCa('kubernetes'),
  aggregator: makeCa('front-proxy'),
  token: 'abcdef.0123456789abcdef',
  id: randomBytes(32).toString('base64'),
});

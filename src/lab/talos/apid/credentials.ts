import { createHash, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { ephemeralIssuer, issueWithKey, issuerOf } from '../../pki/issue.ts';
import { oids, valuesOf } from '../../pki/names.ts';
import { readAll, readDer } from '../../pki/der.ts';
import { secureContext } from '../../tls/accept.ts';
import type { Judgement } from '../../tls/accept.ts';
import { tlsAlert } from '../../tls/alert.ts';
import type { LabClock } from '../../clock.ts';

const hourMs = 3_600_000;
const leafLifeMs = 24 * hourMs;
export const renewAfterMs = 12 * hourMs;

/** Clients live by the wall’s time, nodes by the lab’s: a leaf is good for both. */
export function validity(clock: LabClock, lifeMs = leafLifeMs): { readonly notBefore: Date; readonly notAfter: Date } {
  const lab = clock.now().getTime();
  const wall = Date.now();
  return { notBefore: new Date(Math.min(lab, wall)), notAfter: new Date(Math.max(lab, wall) + lifeMs) };
}

export type ServerCredentials = {
  readonly context: SecureContext;
  readonly crt: string;
  readonly key: KeyObject;
  readonly issuedAt: Date;
};

const pkcs8 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Of a CA that nobody sees and that ends with the boot. */
export function maintenanceCredentials(clock: LabClock, hosts: readonly string[]): ServerCredentials {
  const { crt, key } = issueWithKey(ephemeralIssuer(), {
    subject: { commonName: 'maintenance-service.talos.dev' },
    hosts: [...hosts, '127.0.0.1', '::1'],
    usage: ['digitalSignature'],
    purposes: ['server'],
    ...validity(clock),
  });
  return { context: secureContext({ crt, key: pkcs8(key) }), crt, key, issuedAt: clock.now() };
}

export type IssuerPem = { readonly crt: string; readonly key: string };

export function serverCredentials(
  clock: LabClock,
  ca: IssuerPem,
  accepted: readonly string[],
  given: { readonly commonName: string; readonly hosts: readonly string[]; readonly encipher?: boolean },
): ServerCredentials {
  const { crt, key } = issueWithKey(issuerOf(ca.crt, ca.key), {
    subject: { commonName: given.commonName },
    hosts: given.hosts,
    usage: given.encipher === true ? ['digitalSignature', 'keyEncipherment'] : ['digitalSignature'],
    purposes: ['server'],
    ...validity(clock),
  });
  return signedCredentials(clock, crt, key, [ca.crt, ...accepted]);
}

export const signedCredentials = (
  clock: LabClock,
  crt: string,
  key: KeyObject,
  ca: readonly string[],
): ServerCredentials => ({ context: secureContext({ crt, key: pkcs8(key), ca }), crt, key, issuedAt: clock.now() });

/** The same certificate, for clients of other CAs than before. */
export const signedAgain = (
  old: ServerCredentials,
  trust: { readonly ca: IssuerPem; readonly acceptedCas: readonly string[] },
): ServerCredentials => ({
  ...old,
  context: secureContext({ crt: old.crt, key: pkcs8(old.key), ca: [trust.ca.crt, ...trust.acceptedCas] }),
});

/** With which a control plane calls its peers in the name of others. */
export function impersonator(clock: LabClock, ca: IssuerPem): { readonly crt: string; readonly key: string } {
  const { crt, key } = issueWithKey(issuerOf(ca.crt, ca.key), {
    subject: { organizations: ['os:impersonator'] },
    usage: ['digitalSignature'],
    purposes: ['client'],
    ...validity(clock),
  });
  return { crt, key: pkcs8(key) };
}

export const fingerprintOf = (crt: string): string =>
  createHash('sha256')
    .update(new X509Certificate(crt).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');

/** What apid thinks of a client certificate: in date, from one of its CAs, and meant for clients and nothing else. */
export function judgeClient(certificate: X509Certificate, cas: readonly X509Certificate[], now: Date): Judgement {
  const wall = Math.max(now.getTime(), Date.now());
  if (wall > Date.parse(certificate.validTo) || wall < Date.parse(certificate.validFrom))
    return { kind: 'refused', alert: tlsAlert.expired };
  if (!cas.some((ca) => certificate.checkIssued(ca) && certificate.verify(ca.publicKey)))
    return { kind: 'refused', alert: tlsAlert.unknownCa };
  const purposes = (certificate.keyUsage as readonly string[] | undefined) ?? [];
  return purposes.length === 1 && purposes[0] === oids.clientAuth
    ? { kind: 'taken', certificate }
    : { kind: 'refused', alert: tlsAlert.badCertificate };
}

/** The organizations of a certificate’s subject, in their order. */
export function organizationsOf(certificate: X509Certificate): readonly string[] {
  const [body] = readAll(readDer(certificate.raw).body);
  const subject = readAll(body?.body ?? Buffer.alloc(0))[5]?.whole;
  return subject === undefined ? [] : valuesOf(subject, oids.organization).filter((role) => role !== '');
}

import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { clientOf, makeCa } from '../../../test/lab/secrets.ts';
import { ephemeralIssuer, issuerOf, issueWithKey } from './issue.ts';
import { makeRequest, readRequest } from './request.ts';

const from = new Date('2026-11-16T12:00:00Z');
const until = new Date('2026-11-17T12:00:00Z');

test.each(['ed25519', 'ec'] as const)('a leaf of a %s CA is what OpenSSL reads', (kind) => {
  const ca = makeCa('talos', kind);
  const { crt } = issueWithKey(issuerOf(ca.crt, ca.key), {
    subject: { commonName: 'node' },
    hosts: ['node', '10.0.0.1', '::1'],
    usage: ['digitalSignature'],
    purposes: ['server'],
    notBefore: from,
    notAfter: until,
  });
  const read = new X509Certificate(crt);
  const issuer = new X509Certificate(ca.crt);
  expect({
    subject: read.subject,
    issuer: read.issuer,
    names: read.subjectAltName,
    purposes: read.keyUsage,
    from: new Date(read.validFrom),
    until: new Date(read.validTo),
    signed: read.checkIssued(issuer) && read.verify(issuer.publicKey),
    ca: read.ca,
  }).toEqual({
    subject: 'CN=node',
    issuer: 'O=talos',
    names: 'DNS:node, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    purposes: ['1.3.6.1.5.5.7.3.1'],
    from,
    until,
    signed: true,
    ca: false,
  });
});

test('a boot’s own CA has no name', () => {
  const { crt } = issueWithKey(ephemeralIssuer(), {
    subject: { commonName: 'maintenance-service.talos.dev' },
    usage: ['digitalSignature'],
    purposes: ['server'],
    notBefore: from,
    notAfter: until,
  });
  const { issuer, subject } = new X509Certificate(crt);
  expect({ issuer: issuer ?? '', subject }).toEqual({ issuer: '', subject: 'CN=maintenance-service.talos.dev' });
});

test('a signing request says who asks, and one that was changed says nothing', () => {
  const { key } = issueWithKey(ephemeralIssuer(), {
    subject: {},
    usage: ['digitalSignature'],
    purposes: [],
    notBefore: from,
    notAfter: until,
  });
  const text = makeRequest(key, 'worker', ['worker', '10.0.0.2']);
  expect(readRequest(text)).toMatchObject({ commonName: 'worker', hosts: ['worker', '10.0.0.2'] });
  const [, base64 = ''] = /-----\n([^-]+)\n-----/.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  expect(readRequest(text.replace(base64, bytes.toString('base64')))).toBeUndefined();
  expect(readRequest('nothing')).toBeUndefined();
});

test('a role stands in the organization of a client certificate', () => {
  expect(new X509Certificate(clientOf(makeCa('talos', 'ed25519'), ['os:admin', 'os:reader']).crt).subject).toBe(
    'O=os:admin + O=os:reader',
  );
});

import { X509Certificate } from 'node:crypto';
import { expect } from 'vitest';
import { answers, type Case } from '../case.ts';
import { makeRequest } from '../pki.ts';

const at = 'controlPlane';
const stage = 'configured';
const method = 'SecurityService/Certificate';
const port = 50_001;
const as = 'nobody';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const trustdCases: readonly Case[] = [
  answers(
    'trustd: without a token',
    { stage, at, method, options: { port, as } },
    { code: 'UNAUTHENTICATED', message: 'missing token', messages: [] },
  ),
  answers(
    'trustd: with another token',
    { stage, at, method, options: { port, as, metadata: { token: 'nope' } } },
    { code: 'UNAUTHENTICATED', message: 'invalid token', messages: [] },
  ),
  answers(
    'trustd: it serves nothing else',
    { stage, at, method: 'Version', options: { port, as } },
    { code: 'UNIMPLEMENTED', message: 'unknown service machine.MachineService', messages: [] },
  ),
  ...(['', 'nope'] as const).map((text): Case => ({
    stage,
    name: `trustd: ${text === '' ? 'an empty request' : 'a request that is none'}`,
    run: async ({ call, secrets }) => {
      const options = { port, as, metadata: { token: secrets.token } } as const;
      const { code, message } = await call(at, method, { csr: base64(text) }, options);
      expect({ code, message }).toEqual({ code: 'INVALID_ARGUMENT', message: 'failed to decode CSR' });
    },
  })),
  {
    stage,
    name: 'trustd: a key of another family cannot be signed',
    run: async ({ call, secrets }) => {
      const options = { port, as, metadata: { token: secrets.token } } as const;
      const { code, message } = await call(at, method, { csr: base64(await makeRequest('p256')) }, options);
      expect({ code, message }).toEqual({
        code: 'INTERNAL',
        message: 'failed to sign CSR: x509: requested SignatureAlgorithm does not match private key type',
      });
    },
  },
  {
    stage,
    name: 'trustd: a server’s certificate for a day, with the names asked for and no role',
    run: async ({ call, secrets }) => {
      const options = { port, as, metadata: { token: secrets.token } } as const;
      const { code, messages } = await call(at, method, { csr: base64(await makeRequest('ed25519')) }, options);
      const { ca, crt } = messages[0] as { ca: string; crt: string };
      const certificate = new X509Certificate(Buffer.from(crt, 'base64'));
      expect({
        code,
        ca: Buffer.from(ca, 'base64').toString().trim() === secrets.talos.crt.trim(),
        subject: certificate.subject,
        names: certificate.subjectAltName,
        usage: certificate.keyUsage,
        hours: (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 3_600_000,
        verified: certificate.verify(new X509Certificate(secrets.talos.crt).publicKey),
      }).toEqual({
        code: 'OK',
        ca: true,
        subject: 'CN=w9',
        names: 'IP Address:10.9.9.9',
        usage: ['1.3.6.1.5.5.7.3.1'],
        hours: 24,
        verified: true,
      });
    },
  },
];

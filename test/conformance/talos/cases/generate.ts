import { X509Certificate } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { answers, type Case } from '../case.ts';
import type { Answer } from '../world.ts';

const at = 'controlPlane';
const stage = 'configured';

type Generated = { readonly ca: string; readonly crt: string; readonly key: string; readonly talosconfig: string };

const generated = ({ messages }: Answer): Generated =>
  (messages[0] as unknown as { messages: [Generated] }).messages[0];
const plain = (base64: string): string => Buffer.from(base64, 'base64').toString();

const contextOf = (
  talosconfig: string,
): { context: string; contexts: Record<string, { endpoints: string[]; nodes?: string[] }> } =>
  parse(plain(talosconfig)) as { context: string; contexts: Record<string, { endpoints: string[]; nodes?: string[] }> };

const subjects: readonly (readonly [string, readonly string[], string, string])[] = [
  ['one role', ['os:reader'], 'O=os:reader', 'reader@conformance'],
  ['several roles', ['os:admin', 'os:etcd:backup'], 'O=os:admin + O=os:etcd:backup', 'conformance'],
  ['a role that nobody knows', ['os:nope'], 'O=os:nope', 'nope@conformance'],
  ['no role', [], '', 'conformance'],
];

const tarContent = (archive: Buffer): { name: string; mode: string; text: string } => {
  const field = (from: number, to: number): string => archive.subarray(from, to).toString().replaceAll('\0', '').trim();
  const size = Number.parseInt(field(124, 136), 8);
  return { name: field(0, 100), mode: field(100, 108), text: archive.subarray(512, 512 + size).toString() };
};

export const generateCases: readonly Case[] = [
  answers(
    'client configuration: without a time to live',
    { stage, at, method: 'GenerateClientConfiguration', request: { roles: ['os:reader'] } },
    { code: 'INVALID_ARGUMENT', message: 'crt_ttl should be positive', messages: [] },
  ),
  answers(
    'client configuration: a negative time to live',
    { stage, at, method: 'GenerateClientConfiguration', request: { roles: ['os:reader'], crtTtl: '-5s' } },
    { code: 'INVALID_ARGUMENT', message: 'crt_ttl should be positive', messages: [] },
  ),
  ...subjects.map(([name, roles, subject, context]): Case => ({
    stage,
    name: `client configuration: ${name}`,
    run: async ({ call, secrets }) => {
      const made = generated(await call(at, 'GenerateClientConfiguration', { roles: [...roles], crtTtl: '3600s' }));
      const certificate = new X509Certificate(plain(made.crt));
      const config = contextOf(made.talosconfig);
      expect({
        subject: certificate.subject ?? '',
        hours: (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 3_600_000,
        usage: certificate.keyUsage,
        label: plain(made.key).split('\n')[0],
        ca: plain(made.ca).trim() === secrets.talos.crt.trim(),
        context: config.context,
        endpoints: config.contexts[context]?.endpoints,
      }).toEqual({
        subject,
        hours: 1,
        usage: ['1.3.6.1.5.5.7.3.2'],
        label: '-----BEGIN ED25519 PRIVATE KEY-----',
        ca: true,
        context,
        endpoints: [],
      });
    },
  })),
  {
    stage,
    name: 'client configuration: what was issued is good for its role, and no more',
    run: async ({ call }) => {
      const made = generated(await call(at, 'GenerateClientConfiguration', { roles: ['os:reader'], crtTtl: '600s' }));
      const identity = { crt: plain(made.crt), key: plain(made.key).replaceAll('ED25519 PRIVATE', 'PRIVATE') };
      const [version, read] = [
        await call(at, 'Version', {}, { as: identity }),
        await call(at, 'Read', { path: '/nope' }, { as: identity }),
      ];
      expect([version.code, read.code]).toEqual(['OK', 'PERMISSION_DENIED']);
    },
  },
  {
    stage,
    name: 'kubeconfig: there before bootstrap, a tar without an end, for an administrator',
    run: async ({ call, target, secrets }) => {
      const { code, messages } = await call(at, 'Kubeconfig');
      const packed = Buffer.concat((messages as { bytes: string }[]).map(({ bytes }) => Buffer.from(bytes, 'base64')));
      const archive = gunzipSync(packed);
      const { name, mode, text } = tarContent(archive);
      const config = parse(text) as {
        clusters: [{ name: string; cluster: { server: string; 'certificate-authority-data': string } }];
        users: [{ name: string; user: { 'client-certificate-data': string } }];
        'current-context': string;
      };
      const client = new X509Certificate(plain(config.users[0].user['client-certificate-data']));
      expect({
        code,
        name,
        mode,
        size: archive.length === 512 + Buffer.byteLength(text),
        server: config.clusters[0].cluster.server,
        cluster: config.clusters[0].name,
        context: config['current-context'],
        ca: plain(config.clusters[0].cluster['certificate-authority-data']).trim() === secrets.kubernetes.crt.trim(),
        subject: client.subject,
        usage: client.keyUsage,
      }).toEqual({
        code: 'OK',
        name: 'kubeconfig',
        mode: '0000600',
        size: true,
        server: `https://${target.controlPlane.address}:6443`,
        cluster: 'conformance',
        context: 'admin@conformance',
        ca: true,
        subject: 'O=system:masters\nCN=admin',
        usage: ['1.3.6.1.5.5.7.3.2'],
      });
    },
  },
];

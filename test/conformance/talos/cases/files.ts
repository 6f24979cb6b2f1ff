import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { answers, type Case } from '../case.ts';

const at = 'controlPlane';
const stage = 'configured';

const textOf = (messages: readonly unknown[]): string =>
  Buffer.concat((messages as { bytes?: string }[]).map(({ bytes = '' }) => Buffer.from(bytes, 'base64'))).toString();

export const fileCases: readonly Case[] = [
  answers(
    'files: reading one that is not there',
    { stage, at, method: 'Read', request: { path: '/nope' } },
    { code: 'NOT_FOUND', message: 'stat /nope: no such file or directory', messages: [] },
  ),
  answers(
    'files: reading a folder',
    { stage, at, method: 'Read', request: { path: '/etc' } },
    { code: 'UNKNOWN', message: 'path must be a regular file', messages: [] },
  ),
  answers(
    'files: listing a folder that is not there',
    { stage, at, method: 'List', request: { root: '/nope' } },
    { code: 'UNKNOWN', message: 'lstat /nope: no such file or directory', messages: [] },
  ),
  answers(
    'files: a relative path counts from the root',
    { stage, at, method: 'List', request: { root: 'nope' } },
    { code: 'UNKNOWN', message: 'lstat /nope: no such file or directory', messages: [] },
  ),
  answers(
    'files: copying what is not there ends well, with an item that says so',
    { stage, at, method: 'Copy', request: { rootPath: '/nope' } },
    { code: 'OK', messages: [{ metadata: { error: 'lstat /nope: no such file or directory' } }] },
  ),
  {
    stage,
    name: 'files: the release of the system',
    run: async ({ call }) => {
      const { code, messages } = await call(at, 'Read', { path: '/etc/os-release' });
      expect(code).toBe('OK');
      expect(textOf(messages)).toMatch(/^NAME="?Talos"?$/m);
      expect(textOf(messages)).toMatch(/^VERSION_ID=v1\.13\.9$/m);
    },
  },
  {
    stage,
    name: 'files: the id of this boot, twice the same',
    run: async ({ call }) => {
      const read = async (): Promise<string> =>
        textOf((await call(at, 'Read', { path: '/proc/sys/kernel/random/boot_id' })).messages);
      const first = await read();
      expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/);
      expect(await read()).toBe(first);
    },
  },
  {
    stage,
    name: 'files: a copy is a tar in gzip',
    run: async ({ call }) => {
      const { messages } = await call(at, 'Copy', { rootPath: '/etc/os-release' });
      const packed = Buffer.concat((messages as { bytes: string }[]).map(({ bytes }) => Buffer.from(bytes, 'base64')));
      expect(gunzipSync(packed).toString()).toContain('v1.13.9');
    },
  },
  {
    stage,
    name: 'files: a list begins with its root, and says what is a folder',
    run: async ({ call }) => {
      const { messages } = await call(at, 'List', { root: '/system' });
      expect(messages[0]).toMatchObject({ name: '/system', isDir: true, relativeName: '.' });
    },
  },
  answers(
    'logs: of a service that nobody knows',
    { stage, at, method: 'Logs', request: { namespace: 'system', id: 'nope' } },
    { code: 'UNKNOWN', message: 'log "nope" was not registered', messages: [] },
  ),
  answers(
    'logs: of a container that nobody knows',
    { stage, at, method: 'Logs', request: { namespace: 'k8s.io', driver: 'CRI', id: 'kube-system/nope:nope' } },
    { code: 'UNKNOWN', message: 'container "kube-system/nope:nope" not found', messages: [] },
  ),
  answers(
    'logs: in a namespace that nobody knows',
    { stage, at, method: 'Logs', request: { namespace: 'zz', id: 'nope' } },
    { code: 'UNKNOWN', message: 'container "nope" not found', messages: [] },
  ),
  {
    stage,
    name: 'logs: pieces of at most 1024 bytes',
    run: async ({ call }) => {
      const { code, messages } = await call(at, 'Logs', { namespace: 'system', id: 'machined', tailLines: -1 });
      const sizes = (messages as { bytes: string }[]).map(({ bytes }) => Buffer.from(bytes, 'base64').length);
      expect(code).toBe('OK');
      expect(Math.max(...sizes)).toBeLessThanOrEqual(1024);
      expect(sizes.length).toBeGreaterThan(0);
    },
  },
  {
    stage,
    name: 'logs: the last two lines are two lines',
    run: async ({ call }) => {
      const { messages } = await call(at, 'Logs', { namespace: 'system', id: 'machined', tailLines: 2 });
      expect(textOf(messages).trimEnd().split('\n')).toHaveLength(2);
    },
  },
  {
    stage,
    name: 'logs: who follows stays, and hears what was',
    run: async ({ call, target }) => {
      const request = { namespace: 'system', id: 'machined', tailLines: 1, follow: true };
      const { code, messages } = await call(at, 'Logs', request, { waitMs: target.patienceMs });
      expect(code).toBe('NO_ANSWER');
      expect(messages.length).toBeGreaterThan(0);
    },
  },
  {
    stage,
    name: 'logs: which there are',
    run: async ({ call }) => {
      const { messages } = await call(at, 'LogsContainers');
      const ids = (messages[0] as { messages: [{ ids: string[] }] }).messages[0].ids;
      expect(ids).toEqual(expect.arrayContaining(['apid', 'controller-runtime', 'machined', 'trustd']));
    },
  },
];

import { Agent, request } from 'node:https';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ichorBeside } from '../cli.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

export type LabAnswer = { readonly status: number; readonly data: unknown };

/** A lab that `ichor lab start` made, asked with nothing but Node. */
export type Lab = {
  readonly proxmox: {
    readonly endpoint: string;
    readonly token: string;
    readonly ca: string;
    readonly hosts: readonly string[];
  };
  readonly factory: string;
  readonly platform: string;
  /** Folder of its files. */
  readonly dir: string;
  readonly get: (path: string) => Promise<LabAnswer>;
  readonly put: (path: string, form: Readonly<Record<string, string>>) => Promise<LabAnswer>;
  readonly post: (path: string, form: Readonly<Record<string, string>>) => Promise<LabAnswer>;
  readonly stop: () => Promise<void>;
};

export async function labOf(...args: readonly string[]): Promise<Lab> {
  const dir = mkdtempSync(join(tmpdir(), 'ichor-lab-'));
  const name = `real-${process.pid}`;
  const options = ['--name', name, '--dir', dir, '--speed', '20', '--output', 'json', ...args];
  const { status, stdout, stderr } = await ichorBeside(['lab', 'start', '--detach', ...options]);
  if (status !== 0) throw new Error(`ichor lab start ended with ${status}:\n${stderr}`);
  const told = JSON.parse(stdout) as Pick<Lab, 'proxmox' | 'factory' | 'platform' | 'dir'>;
  const agent = new Agent({ ca: readFileSync(told.proxmox.ca), keepAlive: false });
  const ask = (method: string, path: string, form?: Readonly<Record<string, string>>): Promise<LabAnswer> =>
    new Promise((resolve, reject) => {
      const body = form === undefined ? '' : new URLSearchParams(form).toString();
      const asked = request(`${told.proxmox.endpoint}/api2/json${path}`, {
        method,
        agent,
        headers: {
          authorization: `PVEAPIToken=${told.proxmox.token}`,
          ...(form === undefined
            ? {}
            : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length }),
        },
      });
      asked.on('error', reject).on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.on('end', () => {
          const parsed = text === '' ? {} : (JSON.parse(text) as { data?: unknown });
          resolve({ status: answer.statusCode ?? 0, data: parsed.data });
        });
      });
      asked.end(body);
    });
  return {
    ...told,
    get: (path) => ask('GET', path),
    put: (path, form) => ask('PUT', path, form),
    post: (path, form) => ask('POST', path, form),
    stop: async () => {
      const stopped = await ichorBeside(['lab', 'stop', '--name', name]);
      rmSync(dir, { recursive: true, force: true });
      if (stopped.status !== 0) throw new Error(`ichor lab stop ended with ${stopped.status}:\n${stopped.stderr}`);
    },
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One exchange with a real Proxmox VE. */
export type Row = {
  readonly n: number;
  readonly section: string;
  readonly note: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** `token root@pam!full`, `ticket root@pam`, `none` … */
  readonly auth: string;
  /** Pairs, or the text as it was sent. */
  readonly form?: Readonly<Record<string, unknown>> | string;
  readonly json?: unknown;
  readonly body_in?: string;
  readonly extra_headers?: readonly (readonly [string, string])[];
  readonly status_line: string;
  readonly ms: number;
  readonly body: unknown;
};

export function recordingsFolder(): string {
  const folder = process.env['RECORDINGS'] ?? '';
  if (folder === '')
    throw new Error('Say where the recordings are:\n    make test-recorded RECORDINGS=../shared/reference');
  return folder;
}

export const rowsOf = (file: string): readonly Row[] =>
  readFileSync(join(recordingsFolder(), file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** Where a row was recorded: a host alone, or a cluster of two. */
export type MachineName = 'one' | 'two';

export const machineOf = ({ auth, section }: Row): MachineName =>
  auth === 'c' || auth.includes('via pve-') || (auth === 'none' && section.startsWith('8 ')) ? 'two' : 'one';

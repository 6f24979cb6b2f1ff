import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One exchange with a real node. */
export type Row = {
  readonly case: string;
  readonly state: 'maintenance' | 'configured' | 'bootstrapped';
  readonly node: string;
  readonly role: string;
  readonly method: string;
  readonly request: unknown;
  readonly metadata?: readonly (readonly [string, string])[];
  readonly code: string;
  readonly message: string;
  readonly note?: string;
  readonly tls_alert?: string | number;
  readonly http_status?: number;
  readonly response?: unknown;
};

export function rowsOf(file: string): readonly Row[] {
  const folder = process.env['RECORDINGS'] ?? '';
  if (folder === '')
    throw new Error('Say where the recordings are:\n    make test-recorded RECORDINGS=../shared/reference');
  return readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

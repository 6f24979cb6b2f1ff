import type { Row } from './rows.ts';

/** Requests that were sent at once: whoever won goes first. */
const winners: ReadonlyMap<number, number> = new Map([[1105, 1101.5]]);

const place = ({ n }: Row): number => winners.get(n) ?? n;

/** Rows in the order in which the recorded machine took them up. */
export const asTheyCame = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((one, other) => place(one) - place(other));

/** From here on some workers of the recorded daemon had counted a warning, which every task of theirs shows. */
const firstWarning = 1853;

/** Several requests at once: who has to wait for a lock, and says so in its log, is chance. */
const isRace = ({ section, note }: Row): boolean => section.startsWith('10 ') || note === 'task log: concurrent write';

/** An answer without what was chance then, and is chance now. */
export function withoutChance(row: Row, body: unknown): unknown {
  const calm =
    row.n < firstWarning
      ? body
      : (JSON.parse(JSON.stringify(body ?? null).replaceAll(/WARNINGS: [12]"/g, 'OK"')) as unknown);
  return isRace(row) ? withoutWaits(calm) : calm;
}

type Line = { readonly n: number; readonly t: string };
const isLog = (data: unknown): data is readonly Line[] =>
  Array.isArray(data) && data.every((line: unknown) => typeof line === 'object' && line !== null && 't' in line);

function withoutWaits(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('data' in body) || !isLog(body.data)) return body;
  const lines = body.data.filter(({ t }) => t !== 'trying to acquire lock...' && t !== ' OK');
  return { data: lines.map(({ t }, index) => ({ n: index + 1, t })), total: lines.length };
}

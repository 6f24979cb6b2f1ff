import { afterAll, expect, test } from 'vitest';
import { asTheyCame } from './proxmox/chance.ts';
import { startMachine } from './proxmox/machines.ts';
import { startOrigin } from './proxmox/origin.ts';
import { moments, reasons } from './proxmox/reasons.ts';
import { replay } from './proxmox/replay.ts';
import { machineOf, rowsOf } from './proxmox/rows.ts';
import type { Row } from './proxmox/rows.ts';

const rows = asTheyCame(rowsOf('proxmox-transcripts.jsonl'));
/** SECTION='7 firewall' judges that section alone; what came before it is done as well, without being looked at. */
const wanted = process.env['SECTION'];
const isWanted = ({ section }: Row): boolean => wanted === undefined || section.startsWith(wanted);
const last = rows.findLast(isWanted)?.n ?? 0;
const reasonFor = ({ n }: Row): string | undefined => reasons[n] ?? moments[n];
const found = new Map<Row, readonly string[]>();

test.each(['one', 'two'] as const)('rows of the recorded machine: %s', async (name) => {
  await using machine = await startMachine(name);
  await using origin = await startOrigin();
  for (const row of rows) {
    if (machineOf(row) !== name || row.n > last) continue;
    const differing = await replay({ machine, origin }, row, isWanted(row) && reasonFor(row) === undefined);
    if (isWanted(row)) found.set(row, differing);
  }
});

afterAll(() => {
  const print = (text: string): void => void process.stderr.write(`${text}\n`);
  const unexplained: number[] = [];
  for (const section of new Set([...found.keys()].map((row) => row.section))) {
    const mine = [...found].filter(([row]) => row.section === section);
    print(`recorded, ${section}: ${share(mine)}`);
    for (const [row, differing] of mine) {
      if (differing.length === 0) continue;
      const reason = reasonFor(row);
      if (reason === undefined) unexplained.push(row.n);
      print(`  ${row.n} ${row.method} ${row.path} · ${row.note}: ${reason ?? `NO REASON · ${differing.join(' · ')}`}`);
    }
  }
  print(`recorded, proxmox: ${share([...found])}`);
  const needless = [...found].filter(([{ n }, differing]) => reasons[n] !== undefined && differing.length === 0);
  expect({
    unexplained,
    needless: needless.map(([{ n }]) => n),
    replayed: found.size,
    enough: wanted !== undefined || shareOf([...found]) >= 98,
  }).toEqual({ unexplained: [], needless: [], replayed: rows.filter(isWanted).length, enough: true });
});

type Judged = readonly (readonly [Row, readonly string[]])[];

const alikeOf = (mine: Judged): number => mine.filter(([, differing]) => differing.length === 0).length;
const shareOf = (mine: Judged): number => (100 * alikeOf(mine)) / mine.length;
const share = (mine: Judged): string => `${alikeOf(mine)} of ${mine.length} rows alike, ${shareOf(mine).toFixed(1)} %`;

import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { contracts, type Contract } from '../../src/talos/config/contract.ts';
import { kindTable, typeTable } from '../../src/talos/fields/table.ts';
import { fieldsOf, within } from '../../src/talos/fields/types.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';

const run = promisify(execFile);

/** The release of each minor that the table was read from. */
const releases: Readonly<Record<Contract, string>> = {
  '1.9': 'v1.9.0',
  '1.10': 'v1.10.6',
  '1.11': 'v1.11.6',
  '1.12': 'v1.12.4',
  '1.13': 'v1.13.9',
  '1.14': 'v1.14.1',
};

async function sourceOf(release: string): Promise<string> {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local', GOWORK: 'off' };
  const module = `github.com/siderolabs/talos/pkg/machinery@${release}`;
  const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd: homedir(), env });
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

async function printed(args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(await peerProgram('talos-fields'), args, { maxBuffer: 16 << 20 });
  return stdout.trim().split('\n');
}

/** `type NAME: …` of Talos, as the table has it. */
function row(line: string): readonly [name: string, what: string] {
  const [, name = '', rest = ''] = /^type (\S+): (.*)$/.exec(line) ?? [];
  const [shape = '', ...words] = rest.trim().split(' ');
  const isText = words.includes('text');
  if (shape === 'struct' && !isText) {
    const fields = words.filter((word) => word !== 'merges' && !/^[-~]/.test(word));
    return [name, ['struct', ...fields].join(' ')];
  }
  if (shape === 'os.FileMode') return [name, 'uint32'];
  return [name, isText && !(shape.startsWith('[]') && name !== 'nethelpers.HardwareAddr') ? 'leaf' : shape];
}

/** The row of the table that holds for a contract. */
function ourRow(name: string, contract: Contract): string {
  const rows = typeTable.replaceAll('\n  ', ' ').split('\n');
  const found = rows.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? 'nothing';
  return found
    .split(' ')
    .filter((word) => within(/@([\d.]+)(?=[?:])/.exec(word)?.[1] ?? '', contract))
    .map((word) => word.replace(/@[\d.]+(?=[?:])/, ''))
    .join(' ');
}

const typesIn = (lines: readonly string[]): readonly (readonly [string, string])[] =>
  lines.filter((line) => line.startsWith('type ')).map(row);

const kindsIn = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => (line.startsWith('kind ') ? [line.slice('kind '.length)] : [])).toSorted();

test.each(contracts)(
  'the table holds the fields of Talos %s',
  async (contract) => {
    const lines = await printed(['--source', await sourceOf(releases[contract])]);
    const theirs = typesIn(lines);
    expect(theirs.map(([name]) => [name, ourRow(name, contract)])).toEqual(theirs);
    const ours = [...fieldsOf(contract).documents.values()].map(
      ({ kind, named, type }) => `${kind} ${type.name}${named ? ' named' : ''}`,
    );
    expect(ours.toSorted()).toEqual(kindsIn(lines));
    const count = theirs.reduce((total, [, what]) => total + what.split(' ').length - 1, 0);
    process.stderr.write(`fields: ${count} of Talos ${contract} in ${theirs.length} types, ${ours.length} kinds\n`);
  },
  buildTimeoutMs,
);

test(
  'what is read from the source of 1.13 is what its types are',
  async () => {
    const kinds = kindTable.split('\n').flatMap((line) => line.split(':')[0] ?? []);
    const reflected = await printed(kinds.filter((kind) => kind !== ''));
    const read = await printed(['--source', await sourceOf(releases['1.13'])]);
    const known = new Set(typesIn(read).map(([name]) => name));
    expect(typesIn(reflected).filter(([name]) => known.has(name))).toEqual(typesIn(read));
    expect(kindsIn(reflected)).toEqual(kindsIn(read));
  },
  buildTimeoutMs,
);

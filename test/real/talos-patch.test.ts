import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Problems } from '../../src/model/problem.ts';
import { yamlText } from '../../src/spec/yaml-text.ts';
import type { MachineConfig } from '../../src/talos/config/document.ts';
import { readConfig } from '../../src/talos/config/read.ts';
import { applyPatches } from '../../src/talos/patch/apply.ts';
import type { Patch } from '../../src/talos/patch/patch.ts';
import { somePatchPair, type PatchPair } from '../arbitrary/talos-patches.ts';
import { diceOf } from '../dice.ts';
import { askAll, buildTimeoutMs } from './oracle.ts';

const pairs = Number(process.env['ICHOR_PAIRS'] ?? 2000);
const contract = '1.13';

type Question = { readonly config: string; readonly patches: readonly string[]; readonly read?: string };
type Answer = {
  readonly patched?: string;
  readonly seen?: string;
  readonly refused?: string;
  readonly read?: string;
  readonly unread?: string;
};

const documentsIn = (text: string | undefined): readonly unknown[] =>
  parseAllDocuments(text ?? '', { version: '1.1' }).map((document) => document.toJS() as unknown);

const patchOf = (text: string, index: number): Patch => ({ scope: { kind: 'all' }, source: `patch ${index}`, text });

/** Ours: the text of the result, or why not. */
function ours({ config, patches }: PatchPair): { readonly text?: string; readonly refused?: string } {
  try {
    const read: MachineConfig = readConfig(yamlText(config), 'config', contract);
    const patched = applyPatches({ config: read, provenance: new Map(), contract }, patches.map(patchOf));
    return { text: yamlText(patched.config) };
  } catch (error) {
    if (error instanceof Problems) return { refused: error.message };
    throw error;
  }
}

test(
  `a patch makes what talosctl makes of it, in ${pairs} random pairs`,
  async () => {
    const seed = Number(process.env['ICHOR_SEED'] ?? 1);
    const asked = Array.from({ length: pairs }, (_, index) => somePatchPair(diceOf(seed + index * 7919), contract));
    const results = asked.map(ours);
    const answers = await askAll<Question, Answer>(
      'talos-patcher',
      asked.map(({ config, patches }, index) => {
        const { text } = results[index] ?? {};
        return { config: yamlText(config), patches, ...(text === undefined ? {} : { read: text }) };
      }),
    );
    const differences: unknown[] = [];
    const counts: Record<string, number> = { accepted: 0, refused: 0 };
    for (const [index, answer] of answers.entries()) {
      const mine = results[index] ?? {};
      const pair = asked[index];
      const same =
        answer.refused === undefined
          ? mine.text !== undefined && isDeepStrictEqual(documentsIn(answer.read), documentsIn(answer.seen))
          : mine.refused !== undefined;
      if (answer.refused === undefined) counts['accepted'] = (counts['accepted'] ?? 0) + 1;
      else counts['refused'] = (counts['refused'] ?? 0) + 1;
      for (const rule of new Set(pair?.rules)) counts[rule] = (counts[rule] ?? 0) + 1;
      if (!same)
        differences.push({
          index,
          ours: mine.refused,
          theirs: answer.refused,
          unread: answer.unread,
          pair,
          read: answer.read,
          seen: answer.seen,
        });
    }
    process.stderr.write(
      `patches: ${pairs - differences.length} of ${pairs} pairs alike, seed ${seed}, ${JSON.stringify(counts)}\n`,
    );
    if (process.env['DEBUGP']) {
      const { writeFileSync } = await import('node:fs');
      writeFileSync('/tmp/patch/diff.json', JSON.stringify(differences));
    }
    expect(differences.slice(0, 3)).toEqual([]);
  },
  buildTimeoutMs,
);

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Problem, Problems } from '../../src/model/problem.ts';
import { yamlText } from '../../src/spec/yaml-text.ts';
import { readConfig } from '../../src/talos/config/read.ts';
import { applyPatches } from '../../src/talos/patch/apply.ts';
import { patchRules, somePatchPair, type PatchPair } from '../arbitrary/talos-patches.ts';
import { diceOf } from '../dice.ts';
import { folder } from '../folder.ts';
import { askAll } from './oracle.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';

const pairs = 2000;
const contract = '1.13';
const seed = Number(process.env['ICHOR_SEED'] ?? 1);

const askedPairs = (count: number): readonly PatchPair[] =>
  Array.from({ length: count }, (_, index) => somePatchPair(diceOf(seed + index * 7919), contract));

type Question = { readonly config: string; readonly patches: readonly string[]; readonly read?: string };
type Answer = {
  /** What talosctl prints, and the same as a node reads and writes it. */
  readonly patched?: string;
  readonly seen?: string;
  readonly refused?: string;
  /** Ours, as a node reads and writes it. */
  readonly read?: string;
  readonly unread?: string;
};

type Ours = { readonly text?: string; readonly refused?: string };

function ours({ config, patches }: PatchPair): Ours {
  try {
    const read = readConfig(yamlText(config), 'config.yaml', contract);
    // Operations of a JSON patch see the text as it is, before anything is read into fields.
    const start = isJsonPatch(patches[0]) ? config : read;
    const written = patches.map((text, index) => ({ scope: { kind: 'all' as const }, source: `patch ${index}`, text }));
    return { text: yamlText(applyPatches({ config: start, provenance: new Map(), contract }, written).config) };
  } catch (error) {
    if (error instanceof Problems || error instanceof Problem) return { refused: error.message };
    throw error;
  }
}

const isJsonPatch = (text = ''): boolean => text.startsWith('[') || text.startsWith('- ');

const documentsIn = (text = ''): readonly unknown[] =>
  parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as unknown);

const agree = (mine: Ours, answer: Answer): boolean => {
  if (answer.refused !== undefined) return mine.refused !== undefined;
  return mine.text !== undefined && isDeepStrictEqual(documentsIn(answer.read), documentsIn(answer.seen));
};

test(
  `patches make what Talos makes of them, in ${pairs} random pairs`,
  async () => {
    const asked = askedPairs(pairs);
    const results = asked.map(ours);
    const questions = asked.map(({ config, patches }, index): Question => {
      const text = results[index]?.text;
      return { config: yamlText(config), patches, ...(text === undefined ? {} : { read: text }) };
    });
    const answers = await askAll<Answer>('talos-patcher', questions);

    const differences = answers.flatMap((answer, index) => {
      const mine = results[index] ?? {};
      return agree(mine, answer) ? [] : [{ pair: asked[index], ours: mine, theirs: answer }];
    });
    const refused = answers.filter((answer) => answer.refused !== undefined).length;
    const reached = new Map(patchRules.map((rule) => [rule, asked.filter((pair) => pair.rules.includes(rule)).length]));
    process.stderr.write(
      `patches: ${pairs - differences.length} of ${pairs} pairs alike (${refused} refused by both), seed ${seed}; ` +
        `${[...reached].map(([rule, count]) => `${rule} ${count}`).join(', ')}\n`,
    );
    expect([...reached].filter(([, count]) => count < 20)).toEqual([]);
    expect(differences).toEqual([]);
  },
  buildTimeoutMs,
);

const sample = 50;

test(
  `the patcher that judges is the one of talosctl, on ${sample} of the pairs`,
  async () => {
    const asked = askedPairs(sample);
    const talosctl = await peerProgram('talosctl');
    const answers = await askAll<Answer>(
      'talos-patcher',
      asked.map(({ config, patches }) => ({ config: yamlText(config), patches })),
    );
    const here = folder();
    for (const [index, { config, patches }] of asked.entries()) {
      const file = join(here, `${index}.yaml`);
      await writeFile(file, yamlText(config));
      const files = patches.map((_, number) => join(here, `${index}-${number}.patch`));
      await Promise.all(files.map((path, number) => writeFile(path, patches[number] ?? '')));
      const args = ['machineconfig', 'patch', file, ...files.flatMap((path) => ['--patch', `@${path}`])];
      const printed = await promisify(execFile)(talosctl, args).then(
        ({ stdout }) => stdout,
        () => undefined,
      );
      const { patched } = answers[index] ?? {};
      expect(printed).toBe(patched === undefined ? undefined : `${patched}\n`);
    }
    process.stderr.write(`patches: talosctl printed what its patcher gave, ${sample} of ${sample}\n`);
  },
  buildTimeoutMs,
);

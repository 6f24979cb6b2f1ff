import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { checkConfig } from '../../src/lab/talos/config/check.ts';
import { configDiff } from '../../src/lab/talos/config/reboot.ts';
import type { CheckedFor } from '../../src/lab/talos/config/verdict.ts';
import { sweep } from '../sweep.ts';
import { changedConfigs, configs, type Plain } from './config-mutations.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';

let judge: string;
beforeAll(async () => {
  judge = await peerProgram('validator');
}, buildTimeoutMs);

type Question = { readonly text: string; readonly old?: string } & Pick<CheckedFor, 'mode' | 'installed' | 'disks'>;
type Answer = {
  readonly refused: boolean;
  readonly message: string;
  readonly warnings: readonly string[] | null;
  readonly complete: boolean;
  readonly diff: string;
};

function talos(questions: readonly Question[]): readonly Answer[] {
  const input = questions.map((question) => JSON.stringify(question)).join('\n');
  const { status, stdout, stderr } = spawnSync(judge, { input: `${input}\n`, encoding: 'utf8', maxBuffer: 2 ** 29 });
  if (status !== 0) throw new Error(`The judge failed: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}

const facts = { sizeBytes: 10n * 2n ** 30n, model: 'QEMU HARDDISK', transport: 'virtio' };

/** Refused with which words, or accepted with which warnings. */
function ours({ text, ...given }: Question): string {
  const diskFacts = given.disks.map((path) => ({ path, ...facts }));
  const verdict = checkConfig(text, { version: 'v1.13.9', ...given, diskFacts });
  if (verdict.kind === 'refused') return `refused: ${verdict.message}`;
  return `accepted: ${JSON.stringify([verdict.warnings, verdict.complete])}`;
}

const theirs = ({ refused, message, warnings, complete }: Answer): string =>
  refused ? `refused: ${message}` : `accepted: ${JSON.stringify([warnings ?? [], complete])}`;

/** What the twin does not say as Talos does, and why. */
const known: readonly { readonly why: string; readonly is: (real: string) => boolean }[] = [
  {
    why: 'runtime overrides of containers are an OCI spec, whose types the twin does not know',
    is: (real) => real.includes('base runtime spec overrides'),
  },
  {
    why: 'the twin does not compile CEL expressions',
    is: (real) => /ERROR: <input>|expression output type/.test(real),
  },
  {
    why: 'map keys come in random order from Talos itself',
    is: (real) => /invalid environment variable name|registries\.\w+\[|unsupported pod resource/.test(real),
  },
  { why: 'a panic of Talos’ validation', is: (real) => real.includes('recovered:') || real.includes('panic') },
];

const { numRuns, seed } = sweep('configurations judged', 2500, 20_000);

test('the twin refuses what Talos refuses, in its words', () => {
  const where = fc.record({
    mode: fc.constantFrom('metal' as const, 'cloud' as const, 'container' as const),
    installed: fc.boolean(),
    disks: fc.constantFrom([], ['/dev/sda']),
  });
  const questions = fc.sample(fc.tuple(configs, where), { numRuns, seed }).map(([documents, given]): Question => ({
    text: documents.map((document) => stringify(document, { aliasDuplicateObjects: false })).join('---\n'),
    ...given,
  }));
  const answers = talos(questions).map(theirs);
  const different = questions.flatMap((question, at) => {
    const [real = '', twin] = [answers[at], ours(question)];
    return real === twin
      ? []
      : [{ text: question.text, given: question, real, twin, why: known.find(({ is }) => is(real))?.why }];
  });
  const same = questions.length - different.length;
  const verdicts = different.filter(({ real, twin }) => real.slice(0, 8) !== twin.slice(0, 8)).length;
  const refused = answers.filter((answer) => answer.startsWith('refused')).length;
  const share = (count: number): string => `${((100 * count) / questions.length).toFixed(2)} %`;
  process.stderr.write(
    `${questions.length} configurations, ${refused} refused by Talos: same words ${share(same)}, same verdict ${share(questions.length - verdicts)}\n`,
  );
  for (const { why } of known)
    process.stderr.write(`  ${different.filter((each) => each.why === why).length} differ: ${why}\n`);
  const unexplained = different.filter(({ why }) => why === undefined);
  for (const { real, twin } of unexplained.slice(0, 5)) process.stderr.write(`  Talos: ${real}\n  twin: ${twin}\n`);
  expect(unexplained.filter(({ real, twin }) => real.slice(0, 8) !== twin.slice(0, 8))).toEqual([]);
  expect(unexplained.length).toBeLessThanOrEqual(questions.length / 1000);
});

const changes = sweep('changes of configurations', 600, 6000);

test('what changes from one configuration to the next is shown as Talos shows it', () => {
  const text = (documents: readonly Plain[]): string =>
    documents.map((document) => stringify(document, { aliasDuplicateObjects: false })).join('---\n');
  const pairs = fc.sample(changedConfigs, changes).flatMap(([before, after]) => [
    { old: text(before), text: text(after) },
    { old: 'apiVersion: v1alpha1\nkind: EventSinkConfig\nendpoint: a:1\n', text: text(after) },
  ]);
  const answers = talos(pairs.map((pair): Question => ({ ...pair, mode: 'metal', installed: true, disks: [] })));
  const judged = pairs.flatMap((pair, at) => {
    const answer = answers[at];
    return answer === undefined || answer.refused ? [] : [{ ...pair, real: answer.diff }];
  });
  const different = judged.filter(({ old, text: now, real }) => real !== configDiff(old, now, 'v1.13.9'));
  process.stderr.write(`${judged.length} changes: ${judged.length - different.length} diffs alike\n`);
  expect(judged.length).toBeGreaterThan(pairs.length / 50);
  expect(different.slice(0, 2)).toEqual([]);
});

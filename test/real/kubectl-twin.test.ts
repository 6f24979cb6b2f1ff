import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPair, type Pair, type Said } from './kubectl-pair.ts';
import { files, story, type Command } from './kubectl-story.ts';
import { buildTimeoutMs } from './peers.ts';

/** Commands that the twin does not answer as the real server does yet. */
const notYet: readonly string[] = [];

let pair: Pair;
let same = 0;
const all = story.flatMap(([, commands]) => commands).length;

beforeAll(async () => {
  pair = await startPair();
  await pair.files(files);
}, 5 * buildTimeoutMs);

afterAll(async () => {
  await pair?.[Symbol.asyncDispose]();
  const missing = notYet.length === 0 ? '' : `, ${notYet.length} not yet`;
  process.stderr.write(
    `kubectl: ${same} of ${all} commands say the same on the twin and on the real server${missing}\n`,
  );
});

const patienceMs = 10_000;

async function asked({ command, until, ...run }: Command): Promise<{ readonly real: Said; readonly twin: Said }> {
  for (const end = Date.now() + patienceMs; ;) {
    const said = await pair.both(command, run);
    const isThere = until === undefined || (until.test(said.real.out) && until.test(said.twin.out));
    if (isThere || Date.now() > end) return said;
    await sleep(200);
  }
}

const shown = ({ lines, unordered }: Command, { code, out, err }: Said): Said => {
  const kept =
    lines === undefined
      ? out
      : out
          .split('\n')
          .filter((line) => lines.test(line))
          .join('\n');
  return { code, out: unordered === true ? kept.split('\n').toSorted().join('\n') : kept, err };
};

const name = (commands: readonly Command[], index: number): string => {
  const { command = '' } = commands[index] ?? {};
  const earlier = commands.slice(0, index).filter((each) => each.command === command).length;
  return `kubectl ${command}${earlier === 0 ? '' : ` (${earlier + 1})`}`;
};

describe.each(story)('%s', (_chapter, commands) => {
  for (const [index, command] of commands.entries()) {
    const title = name(commands, index);
    const isMissing = notYet.includes(title);
    test(isMissing ? `${title} (not yet)` : title, async () => {
      const { real, twin } = await asked(command);
      const [one, other] = [shown(command, twin), shown(command, real)];
      if (isMissing) expect(one).not.toEqual(other);
      else {
        expect(one).toEqual(other);
        same += 1;
      }
    });
  }
});

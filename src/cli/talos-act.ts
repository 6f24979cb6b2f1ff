import type { Command } from 'commander';
import type { TalosNode } from '../clients/talos.ts';
import { withOutput } from './options.ts';
import { answersJson, failedNodes, untilInterrupted, type TalosDoor } from './talos-door.ts';
import { nodesOf, withTarget, type TargetOptions } from './talos-target.ts';

/** A command that changes nodes in one call, and says what was done. */
export type Act<O> = {
  readonly whom: 'named' | 'first';
  readonly act: (node: TalosNode, options: O & ActOptions, signal: AbortSignal) => Promise<string>;
};

export type ActOptions = TargetOptions & { readonly output: 'text' | 'json' };

export const withAct = (command: Command, examples: readonly string[]): Command =>
  withOutput(withTarget(command), ['text', 'json'], 'text or json').addHelpText(
    'after',
    `\nExamples:\n${examples.map((example) => `  ${example}\n`).join('')}`,
  );

/** One node after the other, and no further than the first that fails. */
export async function act<O>(options: O & ActOptions, door: TalosDoor, { whom, act: once }: Act<O>): Promise<void> {
  const terminal = door.terminal();
  process.exitCode = await untilInterrupted(async (signal) => {
    const [{ askNodes }, { open }, nodes] = await Promise.all([
      import('../engine/talos-nodes.ts'),
      door.tools.client(),
      nodesOf(options, door, whom),
    ]);
    const answers = [];
    for (const node of nodes) {
      const [answer] = await askNodes([node], open, (each, stop) => once(each, options, stop), signal);
      if (answer !== undefined) answers.push(answer);
      if (answer?.problem !== undefined) break;
      if (options.output === 'text') terminal.out(`${node.name}: ${terminal.paint('green', answer?.answer ?? '')}\n`);
    }
    if (options.output === 'text') return failedNodes(answers, terminal);
    terminal.out(answersJson(answers, (done) => ({ done })));
    return answers.every(({ problem }) => problem === undefined) ? 0 : 1;
  });
}

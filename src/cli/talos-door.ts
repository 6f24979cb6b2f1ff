import type { BootstrapOnce, CheckHealth, OpenTalos, ProbeTalos } from '../clients/talos.ts';
import type { NodeAnswer } from '../engine/talos-nodes.ts';
import type { Pause } from '../model/pause.ts';
import type { Clock } from '../model/clock.ts';
import type { Entropy } from '../model/entropy.ts';
import { Problem } from '../model/problem.ts';
import { problemText, problemsJson } from './problems.ts';
import type { Terminal } from './terminal.ts';

/** What the commands about Talos are handed: loaded by the first that needs it, so that others start without it. */
export type TalosTools = {
  readonly client: () => Promise<{
    readonly open: OpenTalos;
    readonly probe: ProbeTalos;
    readonly checkHealth: CheckHealth;
    readonly bootstrapOnce: BootstrapOnce;
  }>;
  readonly system: () => Promise<{ readonly clock: Clock; readonly entropy: Entropy; readonly pause: Pause }>;
};

export type TalosDoor = { readonly terminal: () => Terminal; readonly tools: TalosTools };

/** Ctrl-C ends what is under way; what a node was already asked to do, it does. */
export async function untilInterrupted<T>(action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => {
    process.exitCode = 130;
    controller.abort(
      new Problem('interrupted', 'Interrupted.', { remedy: 'What a node was already asked to do, it does.' }),
    );
  };
  // A lost connection leaves nothing for Node to wait for, while a deadline is still to come.
  const awake = setInterval(() => {}, 60_000);
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    return await Promise.race([action(controller.signal), gaveUp(controller.signal)]);
  } finally {
    clearInterval(awake);
    if (controller.signal.aborted) setTimeout(() => process.exit(), 1000).unref();
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

/** What does not stop by itself within moments is left where it is. */
const gaveUp = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      setTimeout(() => reject(signal.reason as Problem), 2000).unref();
    });
  });

/** Says which node it was. */
const problemOfNode = (node: string, { code, message, recovery, remedy, cause }: Problem): Problem =>
  new Problem(code, message.includes(node) ? message : `${node}: ${message}`, { recovery, remedy, cause });

/** Answers as programs read them: in the order of the nodes, each with an answer or a problem. */
export const answersJson = <T>(answers: readonly NodeAnswer<T>[], json: (answer: T) => unknown): string =>
  `${JSON.stringify(
    {
      nodes: answers.map(({ node, answer, problem }) =>
        problem === undefined ? { node, ...(json(answer) as object) } : { node, problem: problemsJson([problem])[0] },
      ),
    },
    null,
    2,
  )}\n`;

/** Problems of nodes beside the answers of the others; the exit code that follows. */
export function failedNodes(
  answers: readonly { readonly node: string; readonly problem?: Problem | undefined }[],
  terminal: Terminal,
): number {
  const failed = answers.filter(({ problem }) => problem !== undefined);
  for (const { node, problem } of failed)
    if (problem) terminal.err(problemText(problemOfNode(node, problem), new Map(), terminal));
  return failed.length > 0 ? 1 : 0;
}

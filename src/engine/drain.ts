import { cordon, drain, type Drained, type DrainOptions, type DrainTools } from '../execute/drain.ts';

export type { Drained, DrainEvent } from '../execute/drain.ts';

/** Empties a node as budgets allow; nothing new comes to it. */
export const drainNode = (
  node: string,
  options: DrainOptions,
  tools: DrainTools,
  signal: AbortSignal,
): Promise<Drained> => drain(node, options, tools, signal);

/** Lets pods onto a node again. Whether that was a change. */
export const uncordonNode = (node: string, tools: Pick<DrainTools, 'client'>, signal: AbortSignal): Promise<boolean> =>
  cordon(node, false, tools, signal);

import { isReadyNode, nodeStandings, standingWords } from '../kubernetes/nodes.ts';
import type { SetOptions, SetTools } from './set-tools.ts';
import { waitFor } from './waiting.ts';

/** The gate "all nodes are Ready"; what it says names the node and what it lacks. */
export const untilNodesReady = (
  expected: readonly string[],
  { atMostMs, everyMs = 2000 }: Pick<SetOptions, 'atMostMs' | 'everyMs'>,
  { client, clock, pause, tell }: Pick<SetTools, 'client' | 'clock' | 'pause' | 'tell'>,
  signal: AbortSignal,
): Promise<readonly string[]> =>
  waitFor(
    'all nodes to be Ready',
    async () => {
      const { items } = await client.list({ apiVersion: 'v1', kind: 'Node' }, {}, signal);
      const standings = nodeStandings(items, expected);
      const missing = standings.filter((standing) => !isReadyNode(standing));
      if (standings.length > 0 && missing.length === 0)
        return { state: 'there', value: standings.map(({ node }) => node) };
      return {
        state: 'not-yet',
        because: missing.length === 0 ? 'no node has joined yet' : missing.map(standingWords).join('; '),
      };
    },
    { clock, pause, everyMs, atMostMs },
    tell,
    signal,
  );

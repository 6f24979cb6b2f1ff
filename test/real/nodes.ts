import { firstCard, fitting, mirrors as mirrorsAt } from '../../src/lab/real/fitting.ts';
import { waitForLand } from '../../src/lab/real/land.ts';
import { type NodeProcess, prepareNode } from '../../src/lab/real/node.ts';
import { peerProgram } from './peers.ts';
import { kubernetesImages } from './talos-node/images.ts';
import { requireNodeTools } from './talos-node/requirements.ts';
import { rootFileSystem } from './talos-node/root-file-system.ts';

/** A real Talos node in container mode. */
export type RealNode = Pick<NodeProcess, 'console' | 'start' | 'stop' | 'kill'> & {
  readonly name: string;
  readonly address: string;
  /** Resolves when the node has powered itself off. */
  readonly ended: () => Promise<void>;
};

export type NodeLand = AsyncDisposable & {
  /** A node that comes up in maintenance mode, or with a configuration as user data. */
  readonly up: (name: string, address: string, config?: string) => Promise<RealNode>;
  /** Documents to be added to a configuration so that it fits nodes without kernel, disks and internet. */
  readonly patch: string;
};

const gateway = '10.61.0.1';

/** Where these nodes get their images. */
export const mirrors = mirrorsAt(gateway);

type LandOptions = {
  readonly kubernetes: boolean;
  /**
   * As a machine would behave: after a reset it is empty and boots again (Talos in a container only powers off), and its card
   * has the name that configurations call it by.
   */
  readonly asMachines?: boolean;
};

/** The only nodes on this machine: others wait until they are gone. Everything that was begun ends with `await using`, or with this process. */
export async function startNodeLand({ kubernetes, asMachines = false }: LandOptions): Promise<NodeLand> {
  await requireNodeTools();
  const [nodebox, root] = [await peerProgram('nodebox'), await rootFileSystem()];
  const images = kubernetes ? await kubernetesImages() : undefined;
  const land = await waitForLand(
    { parts: { nodebox, root, images }, network: () => Promise.resolve({ gateway, prefix: 24 }) },
    (owner) => void process.stderr.write(`Talos nodes: waiting for process ${owner} …\n`),
  );
  const over = new AbortController();
  const nodes: NodeProcess[] = [];
  const bootAgain = async (node: NodeProcess): Promise<void> => {
    while (!over.signal.aborted && (await node.ended()) === 'reset' && !over.signal.aborted) {
      await node.kill();
      await node.wipe();
      await node.start();
    }
  };
  return {
    up: async (name, address, config) => {
      const plug = { address, prefix: 24, ...(asMachines ? { alias: firstCard } : {}) };
      const node = await prepareNode({ name, hostname: name, plug, config }, land.place);
      nodes.push(node);
      await node.start();
      if (asMachines) void bootAgain(node).catch(() => undefined);
      return { ...node, name, address, ended: async () => void (await node.ended()) };
    },
    patch: fitting(gateway, 'none'),
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await Promise.all(nodes.map((node) => node.kill()));
      await land[Symbol.asyncDispose]();
    },
  };
}

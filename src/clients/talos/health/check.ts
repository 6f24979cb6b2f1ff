import type { ClusterNode, KubernetesHealth } from '../../talos.ts';
import type { OwnHealth } from './own.ts';

export type Cluster = {
  readonly nodes: readonly ClusterNode[];
  readonly kubernetes: KubernetesHealth | undefined;
  /** Asked where there is no access to Kubernetes. */
  readonly own: OwnHealth;
};

export type Verdict = { readonly ok: true } | { readonly skip: string } | { readonly missing: string };

/** One look at the whole cluster; it is repeated until nothing is missing. */
export type Check = {
  readonly name: string;
  look(cluster: Cluster, signal: AbortSignal): Promise<Verdict>;
};

export const ok: Verdict = { ok: true };

export const controlPlanes = ({ nodes }: Cluster): readonly ClusterNode[] =>
  nodes.filter(({ role }) => role === 'control-plane');

/** Nothing is missing when nobody says a word. */
export function verdictOf(words: readonly (string | undefined)[]): Verdict {
  const missing = words.filter((word) => word !== undefined);
  return missing.length === 0 ? ok : { missing: missing.join('; ') };
}

/** Asks all nodes at once; the answers come in the order of the nodes. */
export const eachOf = <T>(
  nodes: readonly ClusterNode[],
  look: (node: ClusterNode) => Promise<T>,
): Promise<readonly T[]> => Promise.all(nodes.map(look));

export const serviceCheck = (service: string): Check => ({
  name: `${service} to be healthy`,
  async look(cluster, signal) {
    const words = await eachOf(controlPlanes(cluster), async ({ name, talos }) => {
      const found = (await talos.services(signal)).find(({ id }) => id === service);
      const last = found?.events.at(-1);
      if (last === undefined) return `${name}: no events recorded yet for service "${service}"`;
      if (last.state !== 'Running')
        return `${name}: service "${service}" not in expected state "Running": current state [${last.state}] ${last.message}`;
      return found?.health === 'healthy' ? undefined : `${name}: service is not healthy: ${service}`;
    });
    return verdictOf(words);
  },
});

import { controlPlanes, ok, type Cluster, type Verdict } from './check.ts';

/** How long a control plane looks before it says what is missing; it looks at everything, in order. */
const waitMs = 5000;

/** What a control plane says of a condition that only the Kubernetes API can tell. What held once is not asked again. */
export class OwnHealth {
  readonly #said = new Map<string, string>();

  async look(condition: string, cluster: Cluster, signal: AbortSignal): Promise<Verdict> {
    if (!this.#holds(condition)) await this.#ask(cluster, signal);
    const said = this.#said.get(condition);
    if (said === 'OK') return ok;
    if (said === 'SKIP') return { skip: 'Talos itself skips it here' };
    return { missing: said ?? this.#missing() };
  }

  #holds(condition: string): boolean {
    return ['OK', 'SKIP'].includes(this.#said.get(condition) ?? '');
  }

  /** The node stops at the first condition that does not hold. */
  #missing(): string {
    const [condition, said] = [...this.#said].find(([name]) => !this.#holds(name)) ?? [];
    return condition === undefined ? '' : `it waits for ${condition}: ${said}`;
  }

  async #ask(cluster: Cluster, signal: AbortSignal): Promise<void> {
    const [first] = controlPlanes(cluster);
    if (first === undefined) return;
    const addressOf = ({ addresses: [address = ''] }: { readonly addresses: readonly string[] }): string => address;
    const asked = {
      controlPlanes: controlPlanes(cluster).map(addressOf),
      workers: cluster.nodes.filter(({ role }) => role === 'worker').map(addressOf),
      waitMs,
    };
    for await (const { condition, said } of first.talos.clusterHealth(asked, signal)) this.#said.set(condition, said);
  }
}

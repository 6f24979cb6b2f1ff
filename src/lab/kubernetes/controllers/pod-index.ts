import type { Api } from '../api.ts';
import type { Pod } from './shapes.ts';
import { controllerOf, keyOf } from './tools.ts';

/** Pods by who controls them and by where they are. */
export class PodIndex {
  readonly #byOwner = new Map<string, Map<string, Pod>>();
  readonly #byNode = new Map<string, Map<string, Pod>>();
  readonly #unplaced = new Map<string, Pod>();

  constructor(api: Api, signal: AbortSignal) {
    for (const pod of api.list('/pods')) this.#put(pod as unknown as Pod);
    const stop = api.onChange('/pods', ({ kind, object, old }) => {
      if (old !== undefined) this.#take(old as unknown as Pod);
      if (kind === 'DELETED') this.#take(object as unknown as Pod);
      else this.#put(object as unknown as Pod);
    });
    signal.addEventListener('abort', stop, { once: true });
  }

  of(owner: { readonly metadata: { readonly uid: string } }): readonly Pod[] {
    return [...(this.#byOwner.get(owner.metadata.uid)?.values() ?? [])];
  }

  on(node: string): readonly Pod[] {
    return [...(this.#byNode.get(node)?.values() ?? [])];
  }

  /** Those that wait for a node. */
  unplaced(): readonly Pod[] {
    return [...this.#unplaced.values()];
  }

  #put(pod: Pod): void {
    for (const shelf of this.#shelves(pod)) shelf.set(keyOf(pod), pod);
  }

  #take(pod: Pod): void {
    for (const shelf of this.#shelves(pod)) shelf.delete(keyOf(pod));
    const [owner, node] = [controllerOf(pod)?.uid, pod.spec.nodeName];
    if (owner !== undefined && this.#byOwner.get(owner)?.size === 0) this.#byOwner.delete(owner);
    if (node !== undefined && this.#byNode.get(node)?.size === 0) this.#byNode.delete(node);
  }

  #shelves(pod: Pod): readonly Map<string, Pod>[] {
    const owner = controllerOf(pod)?.uid;
    const node = pod.spec.nodeName ?? '';
    return [
      ...(owner === undefined ? [] : [shelfOf(this.#byOwner, owner)]),
      node === '' ? this.#unplaced : shelfOf(this.#byNode, node),
    ];
  }
}

function shelfOf(shelves: Map<string, Map<string, Pod>>, name: string): Map<string, Pod> {
  const shelf = shelves.get(name) ?? new Map<string, Pod>();
  shelves.set(name, shelf);
  return shelf;
}

import type { OpenTalos, TalosAccess, TalosNode } from '../talos.ts';

/** More would only fill the table of open files. */
const most = 512;

/** Opens nodes, and keeps them connected for whoever asks the same node next as the same person. All are closed together. */
export function keepOpen(open: OpenTalos): AsyncDisposable & { readonly open: OpenTalos } {
  const kept = new Map<TalosAccess, Map<string, TalosNode>>();
  const count = (): number => [...kept.values()].reduce((sum, { size }) => sum + size, 0);
  return {
    open: (target) => {
      // Who is in maintenance mode is spoken to once.
      if (target.access.kind === 'maintenance') return open(target);
      const mine = kept.get(target.access) ?? new Map<string, TalosNode>();
      kept.set(target.access, mine);
      const place = `${target.host} ${target.port ?? ''}`;
      const known = mine.get(place);
      if (known === undefined && count() >= most) return open(target);
      const node = known ?? open(target);
      mine.set(place, node);
      return { ...node, [Symbol.asyncDispose]: () => Promise.resolve() };
    },
    [Symbol.asyncDispose]: async () => {
      const all = [...kept.values()].flatMap((nodes) => [...nodes.values()]);
      kept.clear();
      await Promise.all(all.map((node) => node[Symbol.asyncDispose]()));
    },
  };
}

import type { Resource, ResourceChange, ResourceDefinition, TalosReader } from '../clients/talos.ts';
import { nearest } from '../model/nearest.ts';
import { Problem } from '../model/problem.ts';

export type Wanted = {
  readonly type: string;
  readonly id?: string;
  readonly namespace?: string;
  /** Types that hold secrets are shown only to who says so. */
  readonly secrets: boolean;
};

export type Found = { readonly definition: ResourceDefinition; readonly resources: readonly Resource[] };

/** What a node knows under a type or one of its aliases: everything, or one by its id. */
export async function findResources(node: TalosReader, wanted: Wanted, signal: AbortSignal): Promise<Found> {
  const definition = await definitionOf(node, wanted, signal);
  const query = queryOf(definition, wanted);
  if (wanted.id === undefined) return { definition, resources: await node.list(query, signal) };
  const resource = await node.get({ ...query, id: wanted.id }, signal);
  if (resource !== undefined) return { definition, resources: [resource] };
  throw new Problem('no-resource', `There is no ${definition.type} called "${wanted.id}".`, {
    remedy: `See which there are:\n    ichor talos get ${wanted.type}`,
  });
}

export type Seen =
  | { readonly kind: 'definition'; readonly definition: ResourceDefinition }
  | { readonly kind: 'change'; readonly change: ResourceChange };

/** The same, and every change from then on. */
export async function* watchResources(node: TalosReader, wanted: Wanted, signal: AbortSignal): AsyncIterable<Seen> {
  const definition = await definitionOf(node, wanted, signal);
  yield { kind: 'definition', definition };
  const query = queryOf(definition, wanted);
  const watched = wanted.id === undefined ? query : { ...query, id: wanted.id };
  for await (const change of node.watch(watched, signal)) yield { kind: 'change', change };
}

const queryOf = (definition: ResourceDefinition, { namespace }: Wanted) => ({
  type: definition.type,
  namespace: namespace ?? definition.namespace,
});

async function definitionOf(node: TalosReader, wanted: Wanted, signal: AbortSignal): Promise<ResourceDefinition> {
  const definitions = await node.definitions(signal);
  const asked = wanted.type.toLowerCase();
  const definition = definitions.find(({ type, aliases }) => [type.toLowerCase(), ...aliases].includes(asked));
  if (definition === undefined) {
    const names = definitions.flatMap(({ type, aliases }) => [type, ...aliases]);
    const near = nearest(wanted.type, names);
    throw new Problem('unknown-type', `The node knows no resources called "${wanted.type}".`, {
      remedy: `${near === undefined ? '' : `Did you mean ${near}? `}All of them:\n    ichor talos get rd`,
    });
  }
  if (definition.sensitive && !wanted.secrets)
    throw new Problem('sensitive', `${definition.type} hold secrets in clear.`, {
      remedy: 'If nobody looks over your shoulder, add --show-secrets.',
    });
  return definition;
}

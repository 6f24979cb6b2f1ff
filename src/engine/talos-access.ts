import type { TalosAccess } from '../clients/talos.ts';
import type { Clock } from '../model/clock.ts';
import { Problem } from '../model/problem.ts';
import { expiresAt } from '../talos/pki/life.ts';
import { endpointOf } from '../talos/talosconfig/endpoint.ts';
import { chooseContext, readTalosconfig, type ChosenContext } from '../talos/talosconfig/read.ts';
import type { NamedNode } from './talos-nodes.ts';

export type Chosen = {
  readonly context?: string;
  readonly nodes?: readonly string[];
  readonly endpoints?: readonly string[];
};

type TalosconfigFile = { readonly text: string; readonly file: string };

/** The nodes a talosconfig and what was chosen come to: named ones, else the context’s, else the endpoints. */
export function nodesOfContext(given: TalosconfigFile, chosen: Chosen, clock: Clock): readonly NamedNode[] {
  const context = contextOf(given, chosen.context);
  const access = accessOf(context, given.file, clock);
  const addresses = firstNotEmpty(chosen.nodes, chosen.endpoints, context.nodes, context.endpoints);
  if (addresses.length > 0)
    return addresses.map((address) => ({ name: address, target: { ...endpointOf(address), access } }));
  throw new Problem('no-node', `Context "${context.name}" of "${given.file}" names no node and no endpoint.`, {
    remedy: 'Name nodes with -n, such as -n 10.10.0.11.',
  });
}

/** The control planes of a cluster, as far as the talosconfig knows them. */
export function endpointsOfContext(given: TalosconfigFile, chosen: Chosen, clock: Clock): readonly NamedNode[] {
  const endpoints = firstNotEmpty(chosen.endpoints, contextOf(given, chosen.context).endpoints, chosen.nodes);
  return nodesOfContext(given, { ...chosen, nodes: endpoints }, clock);
}

/** Nodes in maintenance mode: whoever answers, or who has the fingerprint. */
export const unconfiguredNodes = (
  addresses: readonly string[],
  fingerprint: string | undefined,
): readonly NamedNode[] =>
  addresses.map((address) => ({
    name: address,
    target: {
      ...endpointOf(address),
      access: { kind: 'maintenance', ...(fingerprint === undefined ? {} : { fingerprint }) },
    },
  }));

const contextOf = ({ text, file }: TalosconfigFile, wanted: string | undefined): ChosenContext =>
  chooseContext(readTalosconfig(text, file), file, wanted);

function accessOf({ name, ca, crt, key }: ChosenContext, file: string, clock: Clock): TalosAccess {
  const ends = expiresAt(crt);
  if (ends !== undefined && ends.getTime() <= clock.now().getTime())
    throw new Problem(
      'certificate-expired',
      `The certificate of context "${name}" in "${file}" ended on ${ends.toISOString().slice(0, 10)}.`,
      {
        remedy:
          'Renew it from the cluster’s secrets; no node is needed:\n    ichor talos gen -f platform.yaml --out talos',
      },
    );
  return { kind: 'mutual', ca, crt, key };
}

const firstNotEmpty = (...lists: readonly (readonly string[] | undefined)[]): readonly string[] =>
  lists.find((list) => list !== undefined && list.length > 0) ?? [];

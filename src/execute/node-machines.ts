import type { KubernetesReader } from '../clients/kubernetes.ts';
import { listAt, textAt, type Live } from '../kubernetes/live.ts';
import type { Material } from './tools.ts';

export async function listNodes(client: KubernetesReader, signal: AbortSignal): Promise<readonly Live[]> {
  return (await client.list({ apiVersion: 'v1', kind: 'Node' }, {}, signal)).items;
}

export const addressesOf = (node: Live): readonly string[] =>
  listAt(node, 'status', 'addresses').flatMap((each) => textAt(each, 'address') ?? []);

/** The node that a machine is: by the name that it was given, or by its address. */
export function nodeOf(
  machine: string,
  nodes: readonly Live[],
  material: Pick<Material, 'hostname' | 'fixedAddress'>,
  found: ReadonlyMap<string, string>,
): Live | undefined {
  const hostname = material.hostname(machine);
  const address = material.fixedAddress(machine) ?? found.get(machine);
  return (
    nodes.find(({ metadata }) => hostname !== undefined && metadata.name === hostname) ??
    nodes.find((node) => address !== undefined && addressesOf(node).includes(address))
  );
}

import type { Machine, Role } from '../../model/machine.ts';
import type { Platform } from '../../spec/platform.ts';
import { machineNamed } from '../../spec/names.ts';
import type { SecretsBundle } from '../secrets/bundle.ts';
import type { Resolved } from './references.ts';

/** Who a machine is on its network, as far as anybody knows. */
export type KnownMachine = { readonly mac: string; readonly address: string | null };

/** Everything that configurations are made of. */
export type ConfigRequest = {
  readonly platform: Platform;
  readonly secrets: SecretsBundle;
  /** What `referencesOf` asks for. */
  readonly resolved: Resolved;
  /** By machine name. A machine that is not in it is known by what the file says. */
  readonly identities: ReadonlyMap<string, KnownMachine>;
  /** The id of the schematic with these extensions, where the file names none; absent: computed. */
  readonly schematicOf?: (extensions: readonly string[]) => string;
  /** Where the Kubernetes API is reached, where only the caller knows: the address of a load balancer. */
  readonly endpointHost?: string;
};

export type Group = Platform['cluster']['controlPlane'] | Platform['cluster']['workers'][string];
export type NodeSettings = Platform['cluster']['nodes'][string];

/** The group that a machine belongs to. */
export function groupOf({ cluster }: Platform, { role, pool }: Pick<Machine, 'role' | 'pool'>): Group {
  const group = role === 'control-plane' ? cluster.controlPlane : cluster.workers[pool ?? ''];
  if (group === undefined) throw new Error(`There is no pool ${pool}.`);
  return group;
}

/** What all machines of a role share: the one pool, where there is only one. */
export function roleGroup({ cluster }: Platform, role: Role): Group | undefined {
  if (role === 'control-plane') return cluster.controlPlane;
  const pools = Object.values(cluster.workers);
  return pools.length === 1 ? pools[0] : undefined;
}

/** What the file fixes for single machines, by machine name. */
export function nodeSettings({ name, cluster, machines }: Platform): ReadonlyMap<string, NodeSettings> {
  const known = new Map(machines.map((machine) => [machine.name, machine]));
  return new Map(
    Object.entries(cluster.nodes).flatMap(([written, settings]) => {
      const machine = machineNamed(written, name, known);
      return machine === undefined ? [] : [[machine.name, settings] as const];
    }),
  );
}

/** The address of a machine: as it was found, else as the file says. */
export const addressOf = ({ identities }: ConfigRequest, { name, fixed }: Machine): string | undefined =>
  identities.get(name)?.address ?? fixed.address;

/** The network that the machines live in, where the file says it. */
export function nodesNetwork({ cluster, provider }: Platform): string | undefined {
  const ofProvider = provider.kind === 'libvirt' || provider.kind === 'openstack' ? provider.network.cidr : undefined;
  return cluster.network.nodes ?? ofProvider;
}

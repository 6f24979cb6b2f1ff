import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { LabClock } from '../../clock.ts';
import type { Api, Mutable, User } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import type { Registry } from '../discovery/registry.ts';
import type { ResourceDefinition, ServerSide, Strategy, StrategyContext } from '../resource.ts';
import type { Store } from '../store/store.ts';
import { convert } from './convert.ts';
import type { SubresourceHandlers } from './subresource.ts';

/** One cluster, as every verb holds it. */
export type Cluster = {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: LabClock;
  /** `v1.36.3` */
  readonly version: string;
  readonly random: (bytes: number) => Uint8Array;
  readonly server: ServerSide;
  readonly api: Api;
  readonly handlers: SubresourceHandlers;
  readonly signal: AbortSignal;
  /** Refuses what would give somebody more than they have. */
  readonly guard: (definition: ResourceDefinition, next: KubeObject, old: KubeObject | undefined, user: User) => void;
  /** What a review is answered with. */
  readonly answer: (definition: ResourceDefinition) => Strategy['answer'];
};

/** How one write is meant. */
export type Write = {
  readonly user: User;
  readonly manager: string;
  readonly dryRun: boolean;
  readonly subresource?: string | undefined;
  readonly warn: (text: string) => void;
};

/** As it is kept: in one version, whatever version it came in. */
export function storedForm({ registry }: Cluster, definition: ResourceDefinition, object: Mutable): KubeObject {
  const stored = registry.stored(resourceKey(definition)) ?? definition;
  return convert(object as KubeObject, stored);
}

export const contextOf = (cluster: Cluster, write: Write): StrategyContext => ({
  user: write.user,
  now: cluster.clock.now(),
  subresource: write.subresource,
  dryRun: write.dryRun,
  server: cluster.server,
});

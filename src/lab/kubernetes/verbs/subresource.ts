import type { KubeObject, Status } from '../../../wire/kubernetes/objects.ts';
import type { LabClock } from '../../clock.ts';
import type { Api, Mutable, User } from '../api.ts';
import type { ResourceDefinition, ServerSide } from '../resource.ts';

/** A request to a subresource that the server itself does not know what to do with; it has been authorized. */
export type SubresourceCall = {
  readonly verb: 'get' | 'create' | 'update' | 'patch' | 'delete' | 'connect';
  readonly method: string;
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** The object that it belongs to; that there is one has been checked. */
  readonly parent: KubeObject;
  readonly query: URLSearchParams;
  /** As it was sent; undefined: nothing was. */
  readonly body: Mutable | undefined;
  readonly user: User;
  readonly manager: string;
  readonly dryRun: boolean;
  readonly api: Api;
  readonly server: ServerSide;
  readonly clock: LabClock;
  /** Ends with the connection, or with the twin. */
  readonly signal: AbortSignal;
};

export type SubresourceAnswer =
  | { readonly kind: 'object'; readonly code: number; readonly object: KubeObject | Status | Mutable }
  | { readonly kind: 'nothing' }
  /** Written as it comes. */
  | { readonly kind: 'text'; readonly text: string | AsyncIterable<string> };

export type SubresourceHandler = (call: SubresourceCall) => SubresourceAnswer | Promise<SubresourceAnswer>;

/** By resource and subresource: `/pods/log`, `certificates.k8s.io/certificatesigningrequests/approval`. */
export type SubresourceHandlers = Readonly<Record<string, SubresourceHandler>>;

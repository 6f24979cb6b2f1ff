import { create } from '@bufbuild/protobuf';
import {
  GetResponseSchema,
  ListResponseSchema,
  type GetRequest,
  type GetResponse,
  type ListRequest,
  type ListResponse,
  type UpdateRequest,
  type WatchRequest,
  type WatchResponse,
} from '../../../wire/gen/cosi/resource_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { refuseWrite, requireReadable, type Roles } from './access.ts';
import { resourceMessage } from './encode.ts';
import { matcher } from './query.ts';
import type { TwinState } from './store.ts';
import { watchState } from './watch.ts';

/** The COSI State service as one caller sees it. Refusals are thrown as GrpcStatus; those of streams when they are first read. */
export type StateService = {
  get(request: GetRequest): GetResponse;
  list(request: ListRequest): AsyncIterable<ListResponse>;
  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<WatchResponse>;
  create(): never;
  update(request: UpdateRequest): never;
  destroy(): never;
};

export function stateService(state: TwinState, roles: Roles): StateService {
  return {
    get({ namespace, type, id }) {
      requireReadable(namespace, type, roles);
      const found = state.get(namespace, type, id);
      if (found === undefined)
        throw new GrpcStatus('NOT_FOUND', `resource ${type}(${namespace}/${id}@undefined) doesn't exist`);
      return create(GetResponseSchema, { resource: resourceMessage(found) });
    },

    async *list({ namespace, type, options }) {
      // Talos reads the query first, and asks about the right to read then.
      const matches = matcher(options?.labelQuery ?? [], options?.idQuery);
      requireReadable(namespace, type, roles);
      for (const each of state.list(namespace, type).filter(matches))
        yield create(ListResponseSchema, { resource: resourceMessage(each) });
    },

    watch: (request, signal) => watchState(state, request, roles, signal),

    create() {
      throw refuseWrite(roles);
    },

    update({ options }) {
      if (options === undefined && roles.has('os:admin'))
        throw new GrpcStatus('INTERNAL', 'runtime error: invalid memory address or nil pointer dereference');
      throw refuseWrite(roles);
    },

    destroy() {
      throw refuseWrite(roles);
    },
  };
}

import {
  CreateRequestSchema,
  CreateResponseSchema,
  DestroyRequestSchema,
  DestroyResponseSchema,
  GetRequestSchema,
  GetResponseSchema,
  ListRequestSchema,
  ListResponseSchema,
  UpdateRequestSchema,
  UpdateResponseSchema,
  WatchRequestSchema,
  WatchResponseSchema,
} from '../../../wire/gen/cosi/resource_pb.ts';
import { stateService } from '../state/service.ts';
import type { StateService } from '../state/service.ts';
import { streaming, unary } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

const ofOthers = ['members.cluster.talos.dev', 'affiliates.cluster.talos.dev', 'endpoints.kubernetes.talos.dev'];

function state({ boot, roles }: LocalCall, type = ''): StateService {
  if (ofOthers.includes(type.toLowerCase())) {
    boot.membersWanted = true;
    boot.refreshMembers();
  }
  return stateService(boot.state, roles);
}

const path = (name: string): string => `/cosi.resource.State/${name}`;

export const cosiHandlers: Readonly<Record<string, Handler>> = {
  [path('Get')]: unary(GetRequestSchema, GetResponseSchema, (given, request) =>
    state(given, request.type).get(request),
  ),
  [path('List')]: streaming(ListRequestSchema, ListResponseSchema, (given, request) =>
    state(given, request.type).list(request),
  ),
  [path('Watch')]: streaming(WatchRequestSchema, WatchResponseSchema, (given, request) =>
    state(given, request.type).watch(request, given.call.signal),
  ),
  [path('Create')]: unary(CreateRequestSchema, CreateResponseSchema, (given) => state(given).create()),
  [path('Update')]: unary(UpdateRequestSchema, UpdateResponseSchema, (given, request) => state(given).update(request)),
  [path('Destroy')]: unary(DestroyRequestSchema, DestroyResponseSchema, (given) => state(given).destroy()),
};

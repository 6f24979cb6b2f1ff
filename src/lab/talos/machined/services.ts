import { create } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import {
  ServiceListResponseSchema,
  ServiceRestartRequestSchema,
  ServiceRestartResponseSchema,
  ServiceStartRequestSchema,
  ServiceStartResponseSchema,
  ServiceStopRequestSchema,
  ServiceStopResponseSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { tellFinished, tellStarting, tellStopping } from '../node/lives.ts';
import { startKubelet } from '../node/start.ts';
import { unary } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

type Action = 'start' | 'stop' | 'restart';

/** Those that a person may start, stop or restart. Extension services are on this list too. */
const allowed: Readonly<Record<string, readonly Action[]>> = {
  kubelet: ['restart', 'start', 'stop'],
};

function act({ machine, boot }: LocalCall, id: string, action: Action): string {
  const service = boot.services.get(id);
  if (service === undefined) throw new GrpcStatus('UNKNOWN', `service "${id}" not defined`);
  const answer = `Service "${id}" ${action === 'stop' ? 'stopped' : `${action}ed`}`;
  // Whoever asks for what is so already gets it, whether the service may be started or not.
  if (action === 'start' && service.state === 'Running') return answer;
  const actions = id.startsWith('ext-') ? ['start', 'stop', 'restart'] : (allowed[id] ?? []);
  if (!actions.includes(action))
    throw new GrpcStatus('UNKNOWN', `service "${id}" doesn't support ${action} operation via API`);
  if (action !== 'start' && service.state === 'Running') {
    tellStopping(boot, id);
    tellFinished(boot, id);
  }
  if (action !== 'stop' && boot.services.get(id)?.state !== 'Running') {
    tellStarting(boot, id);
    void startKubelet(machine, boot).catch(() => undefined);
  }
  return answer;
}

export const serviceHandlers: Readonly<Record<string, Handler>> = {
  '/machine.MachineService/ServiceList': unary(EmptySchema, ServiceListResponseSchema, ({ boot }) =>
    create(ServiceListResponseSchema, {
      messages: [{ services: boot.services.all().map((service) => boot.services.info(service)) }],
    }),
  ),
  '/machine.MachineService/ServiceStart': unary(
    ServiceStartRequestSchema,
    ServiceStartResponseSchema,
    (given, { id }) => create(ServiceStartResponseSchema, { messages: [{ resp: act(given, id, 'start') }] }),
  ),
  '/machine.MachineService/ServiceStop': unary(ServiceStopRequestSchema, ServiceStopResponseSchema, (given, { id }) =>
    create(ServiceStopResponseSchema, { messages: [{ resp: act(given, id, 'stop') }] }),
  ),
  '/machine.MachineService/ServiceRestart': unary(
    ServiceRestartRequestSchema,
    ServiceRestartResponseSchema,
    (given, { id }) => create(ServiceRestartResponseSchema, { messages: [{ resp: act(given, id, 'restart') }] }),
  ),
};

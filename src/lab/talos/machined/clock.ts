import { create } from '@bufbuild/protobuf';
import { EmptySchema, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ControllerRuntimeDependenciesResponseSchema } from '../../../wire/gen/talos/inspect_pb.ts';
import { TimeRequestSchema, TimeResponseSchema } from '../../../wire/gen/talos/time_pb.ts';
import type { TimeResponse } from '../../../wire/gen/talos/time_pb.ts';
import { isIP } from 'node:net';
import { GrpcStatus } from '../../grpc/status.ts';
import { unary } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

/** A lab has no time server but the one that every node is told of; on a container node not even that. */
function timeFrom({ machine, boot }: LocalCall, server: string): TimeResponse {
  const known = server === 'time.cloudflare.com' && boot.image.platform !== 'container';
  const local = `${machine.address}:40000`;
  if (!known) {
    const why =
      isIP(server) === 0
        ? `lookup ${server} on 127.0.0.53:53: read udp ${local}->127.0.0.53:53: read: connection refused`
        : `read udp ${local}->${server}:123: read: connection refused`;
    throw new GrpcStatus('UNKNOWN', `error querying NTP server "${server}": ${why}`);
  }
  const now = timestampFromDate(boot.clock.now());
  return create(TimeResponseSchema, { messages: [{ server, localtime: now, remotetime: now }] });
}

export const clockHandlers: Readonly<Record<string, Handler>> = {
  '/time.TimeService/Time': unary(EmptySchema, TimeResponseSchema, (given) => timeFrom(given, 'time.cloudflare.com')),
  '/time.TimeService/TimeCheck': unary(TimeRequestSchema, TimeResponseSchema, (given, { server }) =>
    timeFrom(given, server),
  ),
  '/inspect.InspectService/ControllerRuntimeDependencies': unary(
    EmptySchema,
    ControllerRuntimeDependenciesResponseSchema,
    () =>
      create(ControllerRuntimeDependenciesResponseSchema, {
        messages: [
          {
            edges: [
              {
                controllerName: 'runtime.MachineStatusController',
                resourceNamespace: 'runtime',
                resourceType: 'MachineStatuses.runtime.talos.dev',
              },
            ],
          },
        ],
      }),
  ),
};

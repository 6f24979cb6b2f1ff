import { EventSchema, EventsRequestSchema } from '../../../wire/gen/talos/machine_pb.ts';
import type { Event, EventsRequest } from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import type { EventLog } from '../node/events.ts';
import { mailbox } from '../node/mailbox.ts';
import { isXid } from '../node/xid.ts';
import { streaming } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

export const eventHandlers: Readonly<Record<string, Handler>> = {
  '/machine.MachineService/Events': streaming(EventsRequestSchema, EventSchema, events),
};

async function* events({ boot, call }: LocalCall, request: EventsRequest): AsyncGenerator<Event> {
  const { events: log } = boot;
  const wanted = (event: Event): boolean => request.withActorId === '' || event.actorId === request.withActorId;
  yield log.hello(request.withActorId);
  const box = mailbox<Event>(call.signal);
  const stop = log.subscribe((event) => wanted(event) && box.put(event));
  try {
    yield* history(log, request, boot.clock.now()).filter(wanted);
    yield* box;
  } finally {
    stop();
  }
}

function history(log: EventLog, { tailEvents, tailId, tailSeconds }: EventsRequest, now: Date): readonly Event[] {
  const all = log.history();
  if (tailSeconds !== 0 && (tailEvents !== 0 || tailId !== ''))
    throw new GrpcStatus(
      'UNKNOWN',
      "WithTailDuration can't be specified at the same time with WithTailEvents or WithTailID",
    );
  if (tailId !== '') {
    if (!isXid(tailId)) throw new GrpcStatus('UNKNOWN', 'error parsing tail_id: xid: invalid ID');
    if (tailEvents !== 0)
      throw new GrpcStatus('UNKNOWN', "WithTailEvents can't be specified at the same time with WithTailID");
    return all.filter(({ event }) => event.id > tailId).map(({ event }) => event);
  }
  if (tailSeconds !== 0)
    return all.filter(({ at }) => now.getTime() - at.getTime() <= tailSeconds * 1000).map(({ event }) => event);
  if (tailEvents === 0) return [];
  return (tailEvents < 0 ? all : all.slice(-tailEvents)).map(({ event }) => event);
}

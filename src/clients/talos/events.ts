import { fromBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import {
  AddressEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  MachineService,
  MachineStatusEvent_MachineStage,
  MachineStatusEventSchema,
  PhaseEvent_Action,
  PhaseEventSchema,
  SequenceEvent_Action,
  SequenceEventSchema,
  ServiceStateEvent_Action,
  ServiceStateEventSchema,
  TaskEvent_Action,
  TaskEventSchema,
  type Event,
  type MachineStatusEvent,
} from '../../wire/gen/talos/machine_pb.ts';
import type { MachineStatus, TalosEvent, TalosReader } from '../talos.ts';
import type { Line } from './call.ts';
import { withoutError } from './envelope.ts';
import { healthWord } from './machine.ts';
import { redact } from './redact.ts';
import { stageOf } from './stage.ts';
import { capitalized, nameOf } from './words.ts';

type Body = TalosEvent extends infer E ? (E extends TalosEvent ? Omit<E, 'id' | 'actor'> : never) : never;

export function eventReads(line: Line): Pick<TalosReader, 'events'> {
  const machine = createClient(MachineService, line.transport);
  return {
    async *events({ tail, after, seconds, actor }, signal) {
      const request = {
        tailEvents: tail ?? 0,
        tailId: after ?? '',
        tailSeconds: seconds ?? 0,
        withActorId: actor ?? '',
      };
      for await (const item of line.endless('events', signal, (options) => machine.events(request, options))) {
        const event = eventOf(withoutError(line.host, item));
        if (event !== undefined) yield event;
      }
    },
  };
}

/** Undefined for the greeting that opens the stream: it carries nothing. */
export function eventOf({ id, actorId, data }: Event): TalosEvent | undefined {
  const typeUrl = data?.typeUrl ?? '';
  if (typeUrl === '') return undefined;
  const type = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
  const read = readers[type];
  const body: Body = read?.(data?.value ?? new Uint8Array()) ?? { kind: 'other', type };
  return { id, actor: actorId, ...body };
}

const reader =
  <D extends DescMessage>(schema: D, body: (message: MessageShape<D>) => Body) =>
  (bytes: Uint8Array): Body =>
    body(fromBinary(schema, bytes));

/** By what stands behind the slash of `talos/runtime/machine.TaskEvent`; no helper for Any knows that prefix. */
const readers: Readonly<Record<string, (bytes: Uint8Array) => Body>> = {
  'machine.SequenceEvent': reader(SequenceEventSchema, ({ sequence, action, error }) => ({
    kind: 'sequence',
    sequence,
    action: actionWord(SequenceEvent_Action, action, 'noop'),
    error: error === undefined ? undefined : redact(error.message),
  })),
  'machine.PhaseEvent': reader(PhaseEventSchema, ({ phase, action }) => ({
    kind: 'phase',
    phase,
    action: actionWord(PhaseEvent_Action, action, 'start'),
  })),
  'machine.TaskEvent': reader(TaskEventSchema, ({ task, action }) => ({
    kind: 'task',
    task,
    action: actionWord(TaskEvent_Action, action, 'start'),
  })),
  'machine.ServiceStateEvent': reader(ServiceStateEventSchema, ({ service, action, message, health }) => ({
    kind: 'service',
    service,
    state: capitalized(nameOf(ServiceStateEvent_Action, action)),
    message,
    health: healthWord(health),
  })),
  'machine.MachineStatusEvent': reader(MachineStatusEventSchema, (event) => ({
    kind: 'status',
    status: statusOf(event),
  })),
  'machine.AddressEvent': reader(AddressEventSchema, ({ hostname, addresses }) => ({
    kind: 'address',
    hostname,
    addresses,
  })),
  'machine.RestartEvent': () => ({ kind: 'restart' }),
  'machine.ConfigLoadErrorEvent': reader(ConfigLoadErrorEventSchema, ({ error }) => ({
    kind: 'config-error',
    error: redact(error),
  })),
  'machine.ConfigValidationErrorEvent': reader(ConfigValidationErrorEventSchema, ({ error }) => ({
    kind: 'config-error',
    error: redact(error),
  })),
};

const actionWord = <W extends string>(
  values: Readonly<Record<string, number>>,
  action: number,
  otherwise: W,
): W | 'start' | 'stop' => {
  const name = nameOf(values, action).toLowerCase();
  return name === 'start' || name === 'stop' ? name : otherwise;
};

const statusOf = ({ stage, status }: MachineStatusEvent): MachineStatus => ({
  stage: stageOf(MachineStatusEvent_MachineStage, stage),
  ready: status?.ready ?? false,
  unmet: (status?.unmetConditions ?? []).map(({ name, reason }) => ({ name, reason })),
});

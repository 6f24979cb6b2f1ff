import { create } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { DataSchema } from '../../../wire/gen/talos/common_pb.ts';
import type { Data } from '../../../wire/gen/talos/common_pb.ts';
import {
  DmesgRequestSchema,
  LogsContainersResponseSchema,
  LogsRequestSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import type { DmesgRequest, LogsRequest } from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import type { Boot } from '../node/boot.ts';
import type { Journal } from '../node/journal.ts';
import { mailbox } from '../node/mailbox.ts';
import { streaming, unary } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

const chunkBytes = 1024;

export const logHandlers: Readonly<Record<string, Handler>> = {
  '/machine.MachineService/Logs': streaming(LogsRequestSchema, DataSchema, logs),
  '/machine.MachineService/Dmesg': streaming(DmesgRequestSchema, DataSchema, dmesg),
  '/machine.MachineService/LogsContainers': unary(EmptySchema, LogsContainersResponseSchema, ({ boot }) =>
    create(LogsContainersResponseSchema, { messages: [{ ids: [...boot.logs.keys()] }] }),
  ),
};

async function* logs({ boot, call }: LocalCall, request: LogsRequest): AsyncGenerator<Data> {
  const journal = journalFor(boot, request);
  yield* chunks(Buffer.from(lines(journal.tail(request.tailLines))));
  if (request.follow) yield* following(journal, call.signal);
}

function journalFor(boot: Boot, { namespace, id }: LogsRequest): Journal {
  if (namespace === 'k8s.io') {
    const pod = boot.pods.find((each) => id.startsWith(`${each.id}:`) || id === each.id);
    if (pod === undefined) throw new GrpcStatus('UNKNOWN', `container "${id}" not found`);
    return boot.journal(id);
  }
  const journal = boot.logs.get(id);
  if (namespace !== 'system' && namespace !== '') throw new GrpcStatus('UNKNOWN', `container "${id}" not found`);
  if (journal === undefined) throw new GrpcStatus('UNKNOWN', `log "${id}" was not registered`);
  return journal;
}

async function* dmesg({ boot, call }: LocalCall, request: DmesgRequest): AsyncGenerator<Data> {
  if (!(request.follow && request.tail))
    for (const line of boot.dmesg.tail(-1)) yield create(DataSchema, { bytes: Buffer.from(`${line}\n`) });
  if (request.follow) yield* following(boot.dmesg, call.signal);
}

async function* following(journal: Journal, signal: AbortSignal): AsyncGenerator<Data> {
  const box = mailbox<string>(signal);
  const stop = journal.follow((line) => box.put(line));
  try {
    for await (const line of box) yield* chunks(Buffer.from(`${line}\n`));
  } finally {
    stop();
  }
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

/** Cut by size, wherever that falls. */
export function* chunks(bytes: Uint8Array): Generator<Data> {
  for (let at = 0; at < bytes.length; at += chunkBytes)
    yield create(DataSchema, { bytes: bytes.subarray(at, at + chunkBytes) });
}

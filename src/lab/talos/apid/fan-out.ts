import { create, toBinary } from '@bufbuild/protobuf';
import { MetadataSchema } from '../../../wire/gen/talos/common_pb.ts';
import { GrpcStatus, grpcCode } from '../../grpc/status.ts';
import { serveLocally } from '../machined/serve.ts';
import type { LocalCall } from '../machined/call.ts';
import { methods } from './methods.ts';
import { callNode } from './peer.ts';
import { isLocal } from './local.ts';

/**
 * One call to several nodes. Works on bytes: `messages` of an envelope and `metadata` of an item both are field 1, so that
 * appending to a message adds to it, as protobuf wants it.
 */
export async function fanOut(given: LocalCall, targets: readonly string[]): Promise<void> {
  const requests = await collected(given.call.requests);
  const streamed = methods.get(given.call.path)?.kind !== 'unary';
  const arrived: Uint8Array[] = [];
  const emit = async (target: string, item: Uint8Array): Promise<void> => {
    const named = streamed ? withMetadata(item, target) : envelopeWith(item, target);
    if (streamed) await given.call.send(named);
    else arrived.push(named);
  };
  await Promise.all(
    targets.map(async (target) => {
      const own: LocalCall = { ...given, call: { ...given.call, requests: replayed(requests) } };
      try {
        if (isLocal(given, target))
          await serveLocally({ ...own, call: { ...own.call, send: (message) => emit(target, message) } });
        else for await (const message of callNode(own, target)) await emit(target, message);
      } catch (error) {
        given.call.signal.throwIfAborted();
        const item = failure(target, error instanceof GrpcStatus ? error : new GrpcStatus('UNKNOWN', String(error)));
        if (streamed) await given.call.send(item);
        else arrived.push(field1(item));
      }
    }),
  );
  if (!streamed) await given.call.send(Buffer.concat(arrived));
}

async function collected(requests: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const request of requests) all.push(request);
  return all;
}

async function* replayed(messages: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* messages;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left & 0x7f) | 0x80);
  bytes.push(left);
  return Buffer.from(bytes);
}

const field1 = (body: Uint8Array): Buffer => Buffer.concat([Buffer.from([0x0a]), varint(body.length), body]);

const metadataOf = (hostname: string, error?: GrpcStatus): Buffer =>
  field1(
    toBinary(
      MetadataSchema,
      create(MetadataSchema, {
        hostname,
        ...(error === undefined
          ? {}
          : {
              error: `rpc error: code = ${goNames[error.code] ?? 'Unknown'} desc = ${error.message}`,
              status: { code: error.code, message: error.message },
            }),
      }),
    ),
  );

const withMetadata = (item: Uint8Array, target: string): Buffer => Buffer.concat([item, metadataOf(target)]);

/** `{messages: [x]}` with the metadata put into x. */
function envelopeWith(reply: Uint8Array, target: string): Buffer {
  let at = 1;
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = reply[at] ?? 0;
    at += 1;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  if (reply.length === 0) return field1(metadataOf(target));
  return Buffer.concat([field1(withMetadata(reply.subarray(at, at + length), target)), reply.subarray(at + length)]);
}

const failure = (target: string, status: GrpcStatus): Buffer => metadataOf(target, status);

/** As Go prints the codes. */
const goNames: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(grpcCode).map(([name, code]) => [
    code,
    name === 'OK'
      ? 'OK'
      : name === 'CANCELLED'
        ? 'Canceled'
        : name
            .split('_')
            .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
            .join(''),
  ]),
);

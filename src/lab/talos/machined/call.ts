import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { Call } from '../../grpc/server.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import type { Boot } from '../node/boot.ts';
import type { Machine } from '../node/machine.ts';

/** A call that this node answers itself. */
export type LocalCall = {
  readonly machine: Machine;
  readonly boot: Boot;
  readonly call: Call;
  readonly roles: ReadonlySet<string>;
  readonly maintenance: boolean;
};

export type Handler = (given: LocalCall) => Promise<void>;

/** Go’s server has other words for a unary call than for a stream. */
const broken = {
  unary: 'grpc: error unmarshalling request: unexpected EOF',
  stream: 'grpc: failed to unmarshal the received message: unexpected EOF',
} as const;

function decoded<Schema extends DescMessage>(
  schema: Schema,
  message: Uint8Array,
  kind: keyof typeof broken = 'stream',
): MessageShape<Schema> {
  try {
    return fromBinary(schema, message);
  } catch {
    throw new GrpcStatus('INTERNAL', broken[kind]);
  }
}

async function only<Schema extends DescMessage>(
  schema: Schema,
  call: Call,
  kind: keyof typeof broken,
): Promise<MessageShape<Schema>> {
  for await (const message of call.requests) return decoded(schema, message, kind);
  throw new GrpcStatus('INTERNAL', 'unexpected EOF');
}

/** One message in, one out. */
export const unary =
  <In extends DescMessage, Out extends DescMessage>(
    input: In,
    output: Out,
    answer: (given: LocalCall, request: MessageShape<In>) => MessageShape<Out> | Promise<MessageShape<Out>>,
  ): Handler =>
  async (given) => {
    const request = await only(input, given.call, 'unary');
    await given.call.send(toBinary(output, await answer(given, request)));
  };

/** One message in, a stream out. */
export const streaming =
  <In extends DescMessage, Out extends DescMessage>(
    input: In,
    output: Out,
    answer: (given: LocalCall, request: MessageShape<In>) => AsyncIterable<MessageShape<Out>>,
  ): Handler =>
  async (given) => {
    const request = await only(input, given.call, 'stream');
    for await (const message of answer(given, request)) await given.call.send(toBinary(output, message));
  };

/** A stream in, one message out. */
export const receiving =
  <In extends DescMessage, Out extends DescMessage>(
    input: In,
    output: Out,
    answer: (given: LocalCall, requests: AsyncIterable<MessageShape<In>>) => Promise<MessageShape<Out>>,
  ): Handler =>
  async (given) => {
    async function* requests(): AsyncGenerator<MessageShape<In>> {
      for await (const message of given.call.requests) yield decoded(input, message);
    }
    await given.call.send(toBinary(output, await answer(given, requests())));
  };

/** Words for what only a control plane can do. */
export function requireControlPlane({ boot }: LocalCall, what: string): void {
  if (boot.settings?.type !== 'controlplane')
    throw new GrpcStatus('UNIMPLEMENTED', `${what} is only available on control plane nodes`);
}

export function refuseInContainer({ boot }: LocalCall): void {
  if (boot.image.platform === 'container')
    throw new GrpcStatus('FAILED_PRECONDITION', 'method is not supported in container mode');
}

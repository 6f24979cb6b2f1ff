import { create } from '@bufbuild/protobuf';
import {
  MetaDeleteRequestSchema,
  MetaDeleteResponseSchema,
  MetaWriteRequestSchema,
  MetaWriteResponseSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { metaId, publishMeta } from '../facts/machine.ts';
import { publish } from '../state/publish.ts';
import { refuseInContainer, unary } from './call.ts';
import type { Handler } from './call.ts';

const room = 256 * 1024;

function requireKey(key: number): void {
  if (key > 255) throw new GrpcStatus('INVALID_ARGUMENT', 'key must be a uint8');
}

export const metaHandlers: Readonly<Record<string, Handler>> = {
  '/machine.MachineService/MetaWrite': unary(
    MetaWriteRequestSchema,
    MetaWriteResponseSchema,
    (given, { key, value }) => {
      refuseInContainer(given);
      requireKey(key);
      const { disk } = given.machine;
      const { meta } = disk;
      const used = [...meta].reduce((sum, [each, bytes]) => (each === key ? sum : sum + bytes.length + 8), 0);
      if (used + value.length > room) throw new GrpcStatus('RESOURCE_EXHAUSTED', 'meta write failed');
      disk.meta = new Map(meta).set(key, value);
      publishMeta(given.boot.state, key, value);
      return create(MetaWriteResponseSchema, { messages: [{}] });
    },
  ),

  '/machine.MachineService/MetaDelete': unary(MetaDeleteRequestSchema, MetaDeleteResponseSchema, (given, { key }) => {
    refuseInContainer(given);
    requireKey(key);
    const { disk } = given.machine;
    if (!disk.meta.has(key)) throw new GrpcStatus('NOT_FOUND', 'meta key not found');
    disk.meta = new Map([...disk.meta].filter(([each]) => each !== key));
    given.boot.state.destroy(publish.metaKey.type, metaId(key));
    return create(MetaDeleteResponseSchema, { messages: [{}] });
  }),
};

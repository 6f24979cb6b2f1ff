import { fromBinary } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { State } from '../../wire/gen/cosi/resource_pb.ts';
import { VersionSpecSchema } from '../../wire/gen/talos/resource/runtime_pb.ts';
import type { ProbeTalos } from '../talos.ts';
import { Line } from './call.ts';
import { isAnswer } from './problems.ts';
import { lossOf } from './losses.ts';

const version = { namespace: 'runtime', type: 'Versions.runtime.talos.dev', id: 'version', options: {} };
const deadlineMs = 5000;

/** Only maintenance mode answers somebody without a certificate; a configured node breaks off and says why. */
export const probeTalos: ProbeTalos = async (target, signal) => {
  await using line = new Line({ ...target, access: { kind: 'maintenance' } });
  const state = createClient(State, line.transport);
  const maintenance = (tag: string | undefined) =>
    ({ kind: 'maintenance', version: tag, fingerprint: line.session.fingerprint ?? '' }) as const;
  signal.throwIfAborted();
  try {
    const { resource } = await state.get(version, { signal, timeoutMs: deadlineMs });
    return maintenance(resource?.spec && fromBinary(VersionSpecSchema, resource.spec.protoSpec).version);
  } catch (error) {
    signal.throwIfAborted();
    if (isAnswer(error)) return maintenance(undefined);
    const { code, because } = lossOf(line.session.lastLoss ?? error);
    if (code === 'talos-configured') return { kind: 'configured' };
    return { kind: 'absent', because };
  }
};

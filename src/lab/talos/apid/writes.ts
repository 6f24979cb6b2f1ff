import { fromBinary } from '@bufbuild/protobuf';
import { ApplyConfigurationRequestSchema } from '../../../wire/gen/talos/machine_pb.ts';
import type { Call } from '../../grpc/server.ts';

/** One call as a node saw it; what was in it is not kept. */
export type SeenTalosCall = {
  readonly at: Date;
  readonly node: string;
  readonly path: string;
  /** `OK`, or the name of a gRPC status. */
  readonly status: string;
  /** Whether it would change the node. */
  readonly write: boolean;
};

const changing =
  /(ApplyConfiguration|Bootstrap|Reboot|Shutdown|Reset|Rollback|Upgrade|Restart|ServiceStart|ServiceStop|ServiceRestart|RemoveMemberByID|LeaveCluster|ForfeitLeadership|EtcdRecover|AlarmDisarm|EtcdDefragment|DowngradeEnable|DowngradeCancel|MetaWrite|MetaDelete|ImagePull|ImageService\/(Pull|Import|Remove)|Install|ContainerRun|BlockDeviceWipe|State\/(Create|Update|Destroy))$/;

/** Whether a call changes anything, and the call to go on with: who only tries a configuration changes nothing. */
export async function changes(call: Call): Promise<{ readonly write: boolean; readonly call: Call }> {
  if (!changing.test(call.path)) return { write: false, call };
  if (!call.path.endsWith('/ApplyConfiguration')) return { write: true, call };
  const requests = call.requests[Symbol.asyncIterator]();
  const first = await requests.next();
  const write = first.done === true || !isTrial(first.value);
  async function* again(): AsyncIterable<Uint8Array> {
    if (first.done === true) return;
    yield first.value;
    for (let next = await requests.next(); next.done !== true; next = await requests.next()) yield next.value;
  }
  return { write, call: { ...call, requests: again() } };
}

function isTrial(message: Uint8Array): boolean {
  try {
    return fromBinary(ApplyConfigurationRequestSchema, message).dryRun;
  } catch {
    return false;
  }
}

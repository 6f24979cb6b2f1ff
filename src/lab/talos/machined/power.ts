import { create } from '@bufbuild/protobuf';
import { randomUUID } from 'node:crypto';
import {
  RebootRequest_Mode,
  RebootRequestSchema,
  RebootResponseSchema,
  ResetRequest_WipeMode,
  ResetRequestSchema,
  ResetResponseSchema,
  RollbackRequestSchema,
  RollbackResponseSchema,
  ShutdownRequestSchema,
  ShutdownResponseSchema,
  UpgradeRequestSchema,
  UpgradeResponseSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import type { ResetRequest } from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { otherSlot, versionOfImage } from '../node/disk.ts';
import { rebootNow, shutDownNow } from '../node/power.ts';
import { resetNow } from '../node/resetting.ts';
import { upgradeNow } from '../node/upgrading.ts';
import { refuseInContainer, unary } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

const at = (name: string): string => `/machine.MachineService/${name}`;

/** Begins once the answer is on its way. */
function begin(work: (actor: string) => Promise<void>): string {
  const actor = randomUUID();
  setImmediate(() => void work(actor).catch(() => undefined));
  return actor;
}

const howOf = (mode: RebootRequest_Mode): 'straight' | 'power cycle' | 'force' =>
  mode === RebootRequest_Mode.FORCE ? 'force' : mode === RebootRequest_Mode.POWERCYCLE ? 'power cycle' : 'straight';

function requireIdle({ boot }: LocalCall): void {
  if (boot.sequence !== undefined) throw new GrpcStatus('UNKNOWN', 'locked');
}

export const powerHandlers: Readonly<Record<string, Handler>> = {
  [at('Reboot')]: unary(RebootRequestSchema, RebootResponseSchema, (given, { mode }) => {
    refuseInContainer(given);
    requireIdle(given);
    const { machine, boot } = given;
    const actorId = begin((actor) => rebootNow(machine, boot, actor, howOf(mode)));
    return create(RebootResponseSchema, { messages: [{ actorId }] });
  }),

  [at('Shutdown')]: unary(ShutdownRequestSchema, ShutdownResponseSchema, (given, { force }) => {
    refuseInContainer(given);
    requireIdle(given);
    const actorId = begin((actor) => shutDownNow(given.machine, given.boot, actor, force));
    return create(ShutdownResponseSchema, { messages: [{ actorId }] });
  }),

  [at('Rollback')]: unary(RollbackRequestSchema, RollbackResponseSchema, (given) => {
    refuseInContainer(given);
    const { machine, boot } = given;
    const other = otherSlot(machine.disk.active);
    if (machine.disk.images[other] === undefined)
      throw new GrpcStatus('UNKNOWN', 'failed to revert bootloader: no boot entry to fall back to');
    machine.flip();
    begin((actor) => rebootNow(machine, boot, actor));
    return create(RollbackResponseSchema, { messages: [{}] });
  }),

  [at('Upgrade')]: unary(UpgradeRequestSchema, UpgradeResponseSchema, async (given, request) => {
    refuseInContainer(given);
    requireIdle(given);
    const { machine, boot } = given;
    if (machine.disk.system === undefined) throw new GrpcStatus('FAILED_PRECONDITION', 'Talos is not installed');
    await boot.sleep(machine.durations.imagePull);
    if (
      versionOfImage(request.image) === undefined ||
      machine.faults.takeImage('missing-image', request.image) !== undefined
    )
      throw new GrpcStatus(
        'UNKNOWN',
        `error validating installer image "${request.image}": failed to pull image "${request.image}": not found`,
      );
    const cluster = machine.etcd?.local()?.cluster;
    if (!request.force && !request.preserve && cluster?.members.size === 2)
      throw new GrpcStatus(
        'UNKNOWN',
        'error validating etcd for upgrade: etcd member count(2) is insufficient to maintain quorum if upgrade commences',
      );
    const actorId = begin((actor) => upgradeNow(machine, boot, { image: request.image, actor, stage: request.stage }));
    return create(UpgradeResponseSchema, { messages: [{ ack: 'Upgrade request received', actorId }] });
  }),

  [at('Reset')]: unary(ResetRequestSchema, ResetResponseSchema, (given, request) => {
    requireIdle(given);
    const wipe = wipeOf(given, request);
    const actorId = begin((actor) => resetNow(given.machine, given.boot, wipe, actor));
    return create(ResetResponseSchema, { messages: [{ actorId }] });
  }),
};

function wipeOf({ machine, boot }: LocalCall, request: ResetRequest): Parameters<typeof resetNow>[2] {
  const { mode, systemPartitionsToWipe, userDisksToWipe } = request;
  if (mode === ResetRequest_WipeMode.SYSTEM_DISK && userDisksToWipe.length > 0)
    throw new GrpcStatus(
      'UNKNOWN',
      "reset failed: invalid input, wipe mode SYSTEM_DISK doesn't support UserDisksToWipe parameter",
    );
  if (mode === ResetRequest_WipeMode.USER_DISKS && systemPartitionsToWipe.length > 0)
    throw new GrpcStatus(
      'UNKNOWN',
      "reset failed: invalid input, wipe mode USER_DISKS doesn't support SystemPartitionsToWipe parameter",
    );
  const type = 'VolumeStatuses.block.talos.dev';
  for (const { label } of systemPartitionsToWipe)
    if (boot.state.get('runtime', type, label) === undefined)
      throw new GrpcStatus(
        'UNKNOWN',
        `failed to get volume status with label "${label}": resource ${type}(runtime/${label}@undefined) doesn't exist`,
      );
  for (const disk of userDisksToWipe)
    if (!machine.hardware.disks.some(({ name }) => `/dev/${name}` === disk))
      throw new GrpcStatus('UNKNOWN', `reset failed: disk "${disk}" not found`);
  return {
    graceful: request.graceful,
    reboot: request.reboot,
    partitions: systemPartitionsToWipe.filter(({ wipe }) => wipe).map(({ label }) => label),
    system: mode !== ResetRequest_WipeMode.USER_DISKS,
    disks: userDisksToWipe.map((disk) => disk.replace('/dev/', '')),
  };
}

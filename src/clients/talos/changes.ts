import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { createClient, type CallOptions } from '@connectrpc/connect';
import {
  ApplyConfigurationRequest_Mode,
  MachineService,
  RebootRequest_Mode,
  ResetRequest_WipeMode,
} from '../../wire/gen/talos/machine_pb.ts';
import type { ApplyMode, TalosWriter } from '../talos.ts';
import type { Line } from './call.ts';
import { onlyOne, type Enveloped } from './envelope.ts';
import { redact } from './redact.ts';

type Writes = Pick<
  TalosWriter,
  'apply' | 'bootstrap' | 'reboot' | 'shutdown' | 'reset' | 'rollback' | 'service' | 'clientConfiguration'
>;

const applyModes = {
  auto: ApplyConfigurationRequest_Mode.AUTO,
  'no-reboot': ApplyConfigurationRequest_Mode.NO_REBOOT,
  reboot: ApplyConfigurationRequest_Mode.REBOOT,
  staged: ApplyConfigurationRequest_Mode.STAGED,
  try: ApplyConfigurationRequest_Mode.TRY,
} as const satisfies Record<ApplyMode, ApplyConfigurationRequest_Mode>;

const rebootModes = {
  default: RebootRequest_Mode.DEFAULT,
  powercycle: RebootRequest_Mode.POWERCYCLE,
  force: RebootRequest_Mode.FORCE,
} as const;

const wipeModes = {
  all: ResetRequest_WipeMode.ALL,
  'system-disk': ResetRequest_WipeMode.SYSTEM_DISK,
  'user-disks': ResetRequest_WipeMode.USER_DISKS,
} as const;

export function machineWrites(line: Line): Writes {
  const machine = createClient(MachineService, line.transport);
  const { host } = line;
  return {
    async apply(config, { mode, dryRun = false, tryTimeoutMs }, signal) {
      const request = {
        data: new TextEncoder().encode(config),
        mode: applyModes[mode],
        dryRun,
        ...(tryTimeoutMs === undefined ? {} : { tryModeTimeout: durationFromMs(tryTimeoutMs) }),
      };
      const ask = (options: CallOptions) => machine.applyConfiguration(request, options);
      const answer = onlyOne(host, await line.ask('a new configuration', signal, ask));
      return {
        mode: modeOf(answer.mode),
        warnings: answer.warnings.map(redact),
        details: redact(answer.modeDetails),
      };
    },
    async bootstrap({ recover = false, skipHashCheck = false }, signal) {
      const request = { recoverEtcd: recover, recoverSkipHashCheck: skipHashCheck };
      onlyOne(host, await line.ask('bootstrap', signal, (options) => machine.bootstrap(request, options)));
    },
    async reboot(mode, signal) {
      const request = { mode: rebootModes[mode] };
      onlyOne(host, await line.ask('reboot', signal, (options) => machine.reboot(request, options)));
    },
    async shutdown({ force = false }, signal) {
      onlyOne(host, await line.ask('shutdown', signal, (options) => machine.shutdown({ force }, options)));
    },
    async reset({ graceful, reboot, partitions = [], userDisks = [], wipe = 'all' }, signal) {
      const request = {
        graceful,
        reboot,
        systemPartitionsToWipe: partitions.map((label) => ({ label, wipe: true })),
        userDisksToWipe: [...userDisks],
        mode: wipeModes[wipe],
      };
      onlyOne(host, await line.ask('reset', signal, (options) => machine.reset(request, options)));
    },
    async rollback(signal) {
      onlyOne(host, await line.ask('rollback', signal, (options) => machine.rollback({}, options)));
    },
    async service(id, action, signal) {
      const asks: Record<typeof action, (options: CallOptions) => Promise<Enveloped>> = {
        start: (options) => machine.serviceStart({ id }, options),
        stop: (options) => machine.serviceStop({ id }, options),
        restart: (options) => machine.serviceRestart({ id }, options),
      };
      onlyOne(host, await line.ask('a service', signal, asks[action]));
    },
    async clientConfiguration({ roles, ttlMs }, signal) {
      const request = { roles: [...roles], crtTtl: durationFromMs(ttlMs) };
      const ask = (options: CallOptions) => machine.generateClientConfiguration(request, options);
      const { ca, crt, key, talosconfig } = onlyOne(host, await line.ask('a client certificate', signal, ask));
      return { ca: text(ca), crt: text(crt), key: text(key), talosconfig: text(talosconfig) };
    },
  };
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A mode that is new to us can only be one that restarts: that is how Talos treats what it does not know. */
const modeOf = (mode: ApplyConfigurationRequest_Mode): ApplyMode =>
  (Object.keys(applyModes) as ApplyMode[]).find((name) => applyModes[name] === mode) ?? 'reboot';

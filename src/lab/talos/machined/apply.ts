import { create } from '@bufbuild/protobuf';
import {
  ApplyConfigurationRequest_Mode as Mode,
  ApplyConfigurationRequestSchema,
  ApplyConfigurationResponseSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import type { ApplyConfigurationRequest, ApplyConfigurationResponse } from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { minorOf } from '../apid/methods.ts';
import { configDiff, rebootNeed } from '../config/reboot.ts';
import { judgeConfig } from '../node/config.ts';
import { rebootNow } from '../node/power.ts';
import { unary } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

const immediate = 'Applied configuration without a reboot';
const rebooting = 'Applied configuration with a reboot';
const staged = 'Staged configuration to be applied after the next reboot';
const defaultTryMs = 60_000;

export const applyHandlers: Readonly<Record<string, Handler>> = {
  '/machine.MachineService/ApplyConfiguration': unary(
    ApplyConfigurationRequestSchema,
    ApplyConfigurationResponseSchema,
    (given, request) => (given.maintenance ? applyFirst(given, request) : applyNext(given, request)),
  ),
};

function checked(
  given: LocalCall,
  request: ApplyConfigurationRequest,
): { readonly text: string; readonly warnings: readonly string[]; readonly complete: boolean } {
  const text = Buffer.from(request.data).toString('utf8');
  const verdict = judgeConfig(given.machine, given.boot, text);
  if (verdict.kind === 'refused') throw new GrpcStatus(verdict.code ?? 'INVALID_ARGUMENT', verdict.message);
  return { text, warnings: verdict.warnings, complete: verdict.complete };
}

const reply = (warnings: readonly string[], mode: number, modeDetails: string): ApplyConfigurationResponse =>
  create(ApplyConfigurationResponseSchema, {
    messages: [{ warnings: [...warnings], mode: mode as Mode, modeDetails }],
  });

/** Of what would be done only the first sentence is told. */
const dryRun = (details: string, diff: string): string =>
  `Dry run summary:\n${details.split(/\n|: this config/)[0] ?? ''} (skipped in dry-run).\nConfig diff:\n\n${diff === '' ? 'No changes.' : diff}`;

/** In maintenance mode: a configuration with a v1alpha1 document ends it, other documents wait for that one. */
function applyFirst(given: LocalCall, request: ApplyConfigurationRequest): ApplyConfigurationResponse {
  const { machine, boot } = given;
  const old = minorOf(boot.version) < 13;
  const { mode } = request;
  if (old && mode !== Mode.REBOOT && mode !== Mode.AUTO && mode !== Mode.TRY)
    throw new GrpcStatus(
      'UNIMPLEMENTED',
      `apply configuration --mode='${modeName(mode)}' is not supported in maintenance mode`,
    );
  const { text, warnings, complete } = checked(given, request);
  const known = mode === Mode.REBOOT || mode === Mode.AUTO || mode === Mode.NO_REBOOT;
  const answered = known ? Mode.NO_REBOOT : mode;
  const details = known ? immediate : mode === Mode.STAGED ? staged : mode === Mode.TRY ? tryText(request) : rebooting;
  if (request.dryRun) {
    if (old)
      return reply(warnings, 0, `Dry run summary:\nnode is running in maintenance mode and does not have a config yet`);
    return reply(warnings, answered, dryRun(details, configDiff(boot.config, text, boot.version)));
  }
  if (mode === Mode.STAGED) machine.disk.config = text;
  else if (complete) setImmediate(() => machine.activate(boot, text));
  else boot.config = text;
  return old ? reply(warnings, 0, '') : reply(warnings, answered, details);
}

const modeName = (mode: number): string =>
  Object.entries(Mode)
    .find(([, value]) => value === mode)?.[0]
    ?.toLowerCase()
    .replace('_', '-') ?? String(mode);

function applyNext(given: LocalCall, request: ApplyConfigurationRequest): ApplyConfigurationResponse {
  const { machine, boot } = given;
  if (boot.leaving)
    throw new GrpcStatus(
      'FAILED_PRECONDITION',
      'configuration was already applied and node is rebooting, cannot apply more configuration changes until next reboot',
    );
  const { text, warnings, complete } = checked(given, request);
  if (!complete)
    throw new GrpcStatus(
      'INVALID_ARGUMENT',
      "the applied machine configuration doesn't contain v1alpha1 config, did you mean to patch the machine config instead?",
    );
  const old = boot.config ?? '';
  const { needed, text: why } = rebootNeed(old, text, boot.version);
  const decided = decide(request, needed, why);
  if (request.dryRun) {
    return reply(warnings, decided.mode, dryRun(decided.details, configDiff(old, text, boot.version)));
  }
  switch (decided.effect) {
    case 'stage':
      machine.disk.config = text;
      break;
    case 'reboot':
      machine.disk.config = text;
      boot.leaving = true;
      setImmediate(() => void rebootNow(machine, boot).catch(() => undefined));
      break;
    case 'try':
      machine.activate(boot, text);
      void boot
        .sleep(tryMs(request))
        .then(() => boot.config === text && machine.activate(boot, old))
        .catch(() => undefined);
      break;
    case 'now':
      machine.disk.config = text;
      machine.activate(boot, text);
      break;
    default:
      decided.effect satisfies never;
  }
  return reply(warnings, decided.mode, decided.details);
}

type Decision = {
  readonly effect: 'now' | 'reboot' | 'stage' | 'try';
  readonly mode: number;
  readonly details: string;
};

function decide(request: ApplyConfigurationRequest, needed: boolean, why: string): Decision {
  const { mode } = request;
  if (mode === Mode.STAGED) return { effect: 'stage', mode, details: staged };
  if (mode === Mode.AUTO)
    return needed
      ? { effect: 'reboot', mode: Mode.REBOOT, details: request.dryRun ? rebooting : `${rebooting}: ${why}` }
      : { effect: 'now', mode: Mode.NO_REBOOT, details: immediate };
  if (mode === Mode.NO_REBOOT || mode === Mode.TRY) {
    if (needed) throw new GrpcStatus('INVALID_ARGUMENT', why);
    return mode === Mode.TRY
      ? { effect: 'try', mode, details: tryText(request) }
      : { effect: 'now', mode, details: immediate };
  }
  // Numbers that nobody knows mean a reboot, and come back as they were sent.
  return { effect: 'reboot', mode, details: rebooting };
}

const tryMs = ({ tryModeTimeout }: ApplyConfigurationRequest): number =>
  tryModeTimeout === undefined
    ? defaultTryMs
    : Number(tryModeTimeout.seconds) * 1000 + tryModeTimeout.nanos / 1_000_000 || defaultTryMs;

const tryText = (request: ApplyConfigurationRequest): string =>
  `${immediate}\nThe config is applied in 'try' mode and will be automatically reverted back in ${goDuration(tryMs(request))}`;

/** As Go prints how long something lasts. */
function goDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = (ms % 60_000) / 1000;
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds}s`;
}

import { create } from '@bufbuild/protobuf';
import {
  LifecycleServiceInstallRequestSchema,
  LifecycleServiceInstallResponseSchema,
  LifecycleServiceUpgradeRequestSchema,
  LifecycleServiceUpgradeResponseSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { versionOfImage } from '../node/disk.ts';
import { writeImage } from '../node/upgrading.ts';
import { refuseInContainer, streaming } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

type Progress = {
  readonly response:
    | { readonly case: 'message'; readonly value: string }
    | { readonly case: 'exitCode'; readonly value: number };
};

const says = (value: string): Progress => ({ response: { case: 'message', value } });
const exits = (value: number): Progress => ({ response: { case: 'exitCode', value } });

function begin({ machine, boot }: LocalCall, image: string | undefined): string {
  if (image === undefined || image === '') throw new GrpcStatus('INVALID_ARGUMENT', 'source image is required');
  if (boot.sequence !== undefined)
    throw new GrpcStatus('FAILED_PRECONDITION', 'another installation/upgrade is already in progress');
  if (![...machine.pulled].some((pulled) => sameImage(pulled, image)))
    throw new GrpcStatus('NOT_FOUND', `image "${image}": not found`);
  return [...machine.pulled].find((pulled) => sameImage(pulled, image)) ?? image;
}

/** The pull answers with a pinned name; either name means the image. */
const sameImage = (pulled: string, image: string): boolean =>
  pulled === image || pulled.replace(/:[^/:]*$/, '') === image.replace(/@.*$/, '').replace(/:[^/:]*$/, '');

async function* install(given: LocalCall, image: string, disk: string | undefined): AsyncGenerator<Progress> {
  const { machine, boot } = given;
  boot.sequence = 'lifecycle';
  try {
    yield says(`running Talos installer ${versionOfImage(image) ?? ''}\n`);
    await boot.sleep(machine.durations.upgrade / 2);
    if (machine.faults.take('die-mid-install', given.call.path) !== undefined) return machine.losePower();
    yield says('creating boot entry\n');
    await boot.sleep(machine.durations.upgrade / 2);
    if (machine.faults.take('failing-installer', given.call.path) !== undefined) {
      yield says('error: failed to install\n');
      yield exits(1);
      return;
    }
    if (disk === undefined) writeImage(machine, image);
    else machine.install(disk.replace('/dev/', ''), image, boot);
    yield says('installation complete\n');
    yield exits(0);
  } finally {
    boot.sequence = undefined;
  }
}

export const lifecycleHandlers: Readonly<Record<string, Handler>> = {
  '/machine.LifecycleService/Install': streaming(
    LifecycleServiceInstallRequestSchema,
    LifecycleServiceInstallResponseSchema,
    async function* (given, { source, destination }) {
      refuseInContainer(given);
      if (given.machine.disk.system !== undefined)
        throw new GrpcStatus('ALREADY_EXISTS', 'machine is already installed');
      if (destination === undefined || destination.disk === '')
        throw new GrpcStatus('INVALID_ARGUMENT', 'destination disk is required');
      for await (const progress of install(given, begin(given, source?.imageName), destination.disk))
        yield create(LifecycleServiceInstallResponseSchema, { progress });
    },
  ),

  '/machine.LifecycleService/Upgrade': streaming(
    LifecycleServiceUpgradeRequestSchema,
    LifecycleServiceUpgradeResponseSchema,
    async function* (given, { source }) {
      refuseInContainer(given);
      if (given.machine.disk.system === undefined)
        throw new GrpcStatus('FAILED_PRECONDITION', 'machine is not installed');
      for await (const progress of install(given, begin(given, source?.imageName), undefined))
        yield create(LifecycleServiceUpgradeResponseSchema, { progress });
    },
  ),
};

import type { JsonObject } from '@bufbuild/protobuf';
import { answers, type Case } from '../case.ts';

const at = 'controlPlane';
const stage = 'bootstrapped';

const unsupported: readonly (readonly [string, JsonObject])[] = [
  ['Reboot', {}],
  ['Reboot', { mode: 'FORCE' }],
  ['Shutdown', {}],
  ['Rollback', {}],
  ['Upgrade', { image: 'ghcr.io/siderolabs/installer:v1.13.9' }],
  ['MetaWrite', { key: 10, value: 'YQ==' }],
  ['MetaWrite', { key: 256, value: 'YQ==' }],
  ['MetaDelete', { key: 10 }],
  ['LifecycleService/Install', {}],
  ['LifecycleService/Upgrade', { containerd: { driver: 'CRI', namespace: 'NS_SYSTEM' }, source: { imageName: 'x' } }],
];

/** A node in a container has no power switch, no boot entries and no META. */
export const containerCases: readonly Case[] = [
  ...unsupported.map(([method, request]) =>
    answers(
      `container: ${method} ${JSON.stringify(request)} is not supported`,
      { stage, at, method, request },
      { code: 'FAILED_PRECONDITION', message: 'method is not supported in container mode', messages: [] },
    ),
  ),
  answers(
    'reset: disks of users are not for the system disk only',
    { stage, at, method: 'Reset', request: { mode: 'SYSTEM_DISK', userDisksToWipe: ['/dev/sdb'] } },
    {
      code: 'UNKNOWN',
      message: "reset failed: invalid input, wipe mode SYSTEM_DISK doesn't support UserDisksToWipe parameter",
      messages: [],
    },
  ),
  answers(
    'reset: system partitions are not for disks of users only',
    { stage, at, method: 'Reset', request: { mode: 'USER_DISKS', systemPartitionsToWipe: [{ label: 'STATE' }] } },
    {
      code: 'UNKNOWN',
      message: "reset failed: invalid input, wipe mode USER_DISKS doesn't support SystemPartitionsToWipe parameter",
      messages: [],
    },
  ),
  answers(
    'reset: a partition that nobody knows',
    { stage, at, method: 'Reset', request: { systemPartitionsToWipe: [{ label: 'NOPE', wipe: true }] } },
    {
      code: 'UNKNOWN',
      message:
        'failed to get volume status with label "NOPE": resource VolumeStatuses.block.talos.dev(runtime/NOPE@undefined) doesn\'t exist',
      messages: [],
    },
  ),
  answers(
    'storage: wiping a device by its path',
    { stage, at, method: 'StorageService/BlockDeviceWipe', request: { devices: [{ device: '/dev/sdzz' }] } },
    { code: 'NOT_FOUND', message: 'blockdevice "/dev/sdzz" not found', messages: [] },
  ),
];

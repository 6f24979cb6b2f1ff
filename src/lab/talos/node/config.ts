import { checkConfig } from '../config/check.ts';
import type { GrpcCodeName } from '../../grpc/status.ts';
import type { Boot } from './boot.ts';
import { diskFacts } from './hardware.ts';
import type { Machine } from './machine.ts';

export type ConfigVerdict =
  | { readonly kind: 'accepted'; readonly warnings: readonly string[]; readonly complete: boolean }
  | { readonly kind: 'refused'; readonly message: string; readonly code?: GrpcCodeName };

/** What this node thinks of a configuration. */
export function judgeConfig(machine: Machine, boot: Boot, text: string): ConfigVerdict {
  const { platform } = boot.image;
  return checkConfig(text, {
    version: boot.version,
    mode: platform === 'metal' || platform === 'container' ? platform : 'cloud',
    installed: machine.disk.system !== undefined,
    disks: machine.hardware.disks.map(({ name }) => `/dev/${name}`),
    diskFacts: machine.hardware.disks.map(diskFacts),
  });
}

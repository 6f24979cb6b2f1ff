import { checkConfig } from '../config/check.ts';
import type { GrpcCodeName } from '../../grpc/status.ts';
import type { DiskFacts } from '../config/rules/install.ts';
import type { TwinHardware } from '../twin.ts';
import type { Boot } from './boot.ts';
import { transportOf } from './hardware.ts';
import type { Machine } from './machine.ts';

export type ConfigVerdict =
  | { readonly kind: 'accepted'; readonly warnings: readonly string[]; readonly complete: boolean }
  | { readonly kind: 'refused'; readonly message: string; readonly code?: GrpcCodeName };

/** What this node thinks of a configuration. */
export function judgeConfig(machine: Machine, boot: Boot, text: string): ConfigVerdict {
  const platform = machine.options.platform ?? 'metal';
  return checkConfig(text, {
    version: boot.version,
    mode: platform === 'metal' || platform === 'container' ? platform : 'cloud',
    installed: machine.disk.system !== undefined,
    disks: machine.hardware.disks.map(({ name }) => `/dev/${name}`),
    diskFacts: machine.hardware.disks.map(factsOf),
  });
}

const factsOf = ({ name, sizeBytes, model, serial }: TwinHardware['disks'][number]): DiskFacts => ({
  path: `/dev/${name}`,
  sizeBytes,
  model,
  serial,
  transport: transportOf(name),
  rotational: !name.startsWith('nvme'),
});

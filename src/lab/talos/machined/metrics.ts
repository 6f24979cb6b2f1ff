import { create } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import {
  LoadAvgResponseSchema,
  MemoryResponseSchema,
  SystemStatResponseSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import { unary } from './call.ts';
import type { Handler, LocalCall } from './call.ts';
import { rawEnvelope, rawMessage, rawUnary } from './raw.ts';
import type { RawField } from './raw.ts';

const at = (name: string): string => `/machine.MachineService/${name}`;

// Work that grows with the time since boot, so that whoever draws it sees a node that lives.
const ticks = ({ boot }: LocalCall): number =>
  Math.max(1, Math.floor((boot.clock.now().getTime() - boot.started.getTime()) / 10));

export const metricHandlers: Readonly<Record<string, Handler>> = {
  [at('Memory')]: unary(EmptySchema, MemoryResponseSchema, ({ machine }) => {
    const total = BigInt(machine.hardware.memoryMiB) * 1024n;
    return create(MemoryResponseSchema, {
      messages: [
        {
          meminfo: {
            memtotal: total,
            memfree: (total * 6n) / 10n,
            memavailable: (total * 7n) / 10n,
            buffers: total / 100n,
            cached: total / 10n,
            active: total / 5n,
            inactive: total / 10n,
          },
        },
      ],
    });
  }),
  [at('LoadAvg')]: unary(EmptySchema, LoadAvgResponseSchema, () =>
    create(LoadAvgResponseSchema, { messages: [{ load1: 0.12, load5: 0.1, load15: 0.05 }] }),
  ),
  [at('SystemStat')]: unary(EmptySchema, SystemStatResponseSchema, (given) => {
    const { machine, boot } = given;
    const cpu = { user: ticks(given) / 2000, system: ticks(given) / 4000, idle: ticks(given) / 100 };
    return create(SystemStatResponseSchema, {
      messages: [
        {
          bootTime: BigInt(Math.floor(boot.started.getTime() / 1000)),
          cpuTotal: cpu,
          cpu: Array.from({ length: machine.hardware.cpus }, () => cpu),
          contextSwitches: BigInt(ticks(given) * 20),
          processCreated: BigInt(400 + ticks(given)),
          processRunning: 1n,
          softIrq: {},
        },
      ],
    });
  }),
  [at('CPUInfo')]: rawUnary(({ machine }) =>
    rawEnvelope(
      ...Array.from({ length: machine.hardware.cpus }, (_, index): RawField => [
        2,
        rawMessage(
          [1, index],
          [2, 'GenuineIntel'],
          [5, 'QEMU Virtual CPU version 2.5+'],
          [8, { double: 2000 }],
          [13, 1],
        ),
      ]),
    ),
  ),
  [at('CPUFreqStats')]: rawUnary(({ machine }) =>
    rawEnvelope(
      ...Array.from({ length: machine.hardware.cpus }, (): RawField => [
        2,
        rawMessage([1, 2_000_000], [2, 1_000_000], [3, 2_000_000], [4, 'performance']),
      ]),
    ),
  ),
  [at('DiskStats')]: rawUnary((given) => {
    const stat = (name: string): Uint8Array =>
      rawMessage([1, name], [2, ticks(given)], [4, ticks(given) * 8], [6, ticks(given)], [8, ticks(given) * 8]);
    return rawEnvelope([2, stat('')], ...given.machine.hardware.disks.map(({ name }): RawField => [3, stat(name)]));
  }),
  [at('NetworkDeviceStats')]: rawUnary((given) => {
    const stat = (name: string): Uint8Array =>
      rawMessage([1, name], [2, ticks(given) * 90], [3, ticks(given)], [10, ticks(given) * 70], [11, ticks(given)]);
    return rawEnvelope([2, stat('')], ...given.machine.hardware.links.map(({ name }): RawField => [3, stat(name)]));
  }),
  [at('Processes')]: rawUnary((given) =>
    rawEnvelope(
      [2, processOf(1, 0, '/sbin/init', ticks(given))],
      ...given.boot.services
        .all()
        .filter(({ pid }) => pid > 0)
        .map(({ id, pid }): RawField => [2, processOf(pid, 1, id, ticks(given))]),
    ),
  ),
  [at('Mounts')]: rawUnary(() =>
    rawEnvelope(
      [2, rawMessage([1, 'none'], [4, '/'])],
      [2, rawMessage([1, 'tmpfs'], [2, 4_194_304], [3, 4_190_208], [4, '/system'])],
      [2, rawMessage([1, '/dev/sda6'], [2, 38_654_705_664], [3, 37_580_963_840], [4, '/var'])],
    ),
  ),
  [at('Netstat')]: rawUnary(({ machine }) =>
    rawEnvelope([2, rawMessage([1, 'tcp'], [2, machine.address], [3, 50_000], [4, '0.0.0.0'], [6, 10], [14, 4242])]),
  ),
};

const processOf = (pid: number, parent: number, command: string, time: number): Uint8Array =>
  rawMessage(
    [1, pid],
    [2, parent],
    [3, 'S'],
    [4, 8],
    [5, { double: time / 1000 }],
    [6, 1_600_000_000],
    [7, 60_000_000],
    [8, command],
    [9, `/usr/bin/${command}`],
    [10, command],
  );

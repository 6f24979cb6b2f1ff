import type { Call } from '../call.ts';
import { hostNumbers } from '../cluster/numbers.ts';
import { measured } from '../qemu/status.ts';
import type { Vm } from '../vm.ts';

type Point = Readonly<Record<string, number>>;

/** Seconds between two points, and how many there are. */
const frames: Readonly<Record<string, { readonly step: number; readonly count: number }>> = {
  hour: { step: 60, count: 70 },
  day: { step: 1800, count: 70 },
  week: { step: 10_800, count: 70 },
  month: { step: 43_200, count: 70 },
  year: { step: 604_800, count: 70 },
  decade: { step: 604_800, count: 520 },
};

/** Times before the host started are empty; all others are as it is now, for nobody kept a diary. */
function series({ datacenter, host, text }: Call, now: Point): Point[] {
  const { step, count } = frames[text('timeframe') ?? 'hour'] ?? { step: 60, count: 70 };
  const last = Math.floor(datacenter.clock.now().getTime() / 1000 / step) * step;
  const booted = host.bootedAt.getTime() / 1000;
  return Array.from({ length: count }, (_, index) => {
    const time = last - (count - 1 - index) * step;
    return time < booted ? { time } : { time, ...now };
  });
}

export function nodeRrdData(call: Call): Point[] {
  const { datacenter, host } = call;
  const now = hostNumbers(datacenter, host);
  const nine = datacenter.version.major >= 9;
  return series(call, {
    cpu: now.cpu,
    maxcpu: now.maxcpu,
    iowait: 0,
    loadavg: now.cpu * now.maxcpu,
    memtotal: now.maxmem,
    memused: now.mem,
    swaptotal: 0,
    swapused: 0,
    roottotal: now.maxdisk,
    rootused: now.disk,
    netin: 12_000,
    netout: 7000,
    ...(nine ? { memavailable: now.maxmem - now.mem, arcsize: 0 } : {}),
  });
}

export function storageRrdData(call: Call): Point[] {
  const { storages } = call.datacenter;
  const { totalBytes, usedBytes } = storages.spaceOf(call.host, storages.definition(call.text('storage') ?? ''));
  return series(call, { total: totalBytes, used: usedBytes });
}

export function vmRrdData(call: Call, vm: Vm): Point[] {
  const { datacenter } = call;
  const { cpu, maxcpu, mem, maxmem, disk, maxdisk, netin, netout, diskread, diskwrite } = measured(datacenter, vm);
  const nine = datacenter.version.major >= 9;
  return series(call, {
    cpu,
    maxcpu,
    mem,
    maxmem,
    disk,
    maxdisk,
    netin,
    netout,
    diskread,
    diskwrite,
    ...(nine ? { memhost: mem } : {}),
  });
}

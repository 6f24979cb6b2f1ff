import type { Call } from '../call.ts';
import { hostNumbers } from '../cluster/numbers.ts';

const kernel = { 8: '6.8.12-15-pve', 9: '6.17.13-2-pve' } as const;
const build = '#1 SMP PREEMPT_DYNAMIC PMX (2026-07-01T00:00Z)';

/** A host as it is at this moment; load and names of its parts are made up. */
export function nodeStatus({ datacenter, host }: Call): Readonly<Record<string, unknown>> {
  const { version } = datacenter;
  const now = hostNumbers(datacenter, host);
  const available = now.maxmem - now.mem;
  const release = kernel[version.major];
  const load = (now.cpu * host.cpus).toFixed(2);
  const sockets = host.cpus > 64 ? 2 : 1;
  return {
    uptime: now.uptime,
    idle: 0,
    wait: 0,
    cpu: now.cpu,
    loadavg: [load, load, load],
    kversion: `Linux ${release} ${build}`,
    'current-kernel': { sysname: 'Linux', release, version: build, machine: 'x86_64' },
    'boot-info': { mode: 'legacy-bios' },
    cpuinfo: {
      cpus: host.cpus,
      cores: Math.max(sockets, Math.ceil(host.cpus / 2)),
      sockets,
      model: 'Lab Processor',
      vendor: 'GenuineIntel',
      family: '6',
      mhz: '2600.000',
      flags:
        'fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat sse sse2 ssse3 sse4_1 sse4_2 popcnt aes avx avx2 vmx',
      hvm: '1',
      user_hz: 100,
    },
    memory: {
      total: now.maxmem,
      used: now.mem,
      free: available,
      ...(version.major >= 9 ? { available } : {}),
    },
    ksm: { shared: 0 },
    swap: { total: 0, used: 0, free: 0 },
    rootfs: { total: now.maxdisk, used: now.disk, free: now.maxdisk - now.disk, avail: now.maxdisk - now.disk },
    pveversion: `pve-manager/${version.version}/${version.repoid}`,
  };
}

import type { Status } from '../../engine/status.ts';

/** For programs; what is not known is null. */
export const statusJson = (status: Status): unknown => ({
  platform: status.platform,
  at: status.at.toISOString(),
  well: status.well,
  wrong: status.wrong,
  wanted: status.wanted,
  provider: status.provider ?? null,
  endpoint: status.endpoint ?? null,
  vipHolder: status.vipHolder ?? null,
  machines: status.machines.map((machine) => ({
    ...machine,
    host: machine.host ?? null,
    power: machine.power ?? null,
    address: machine.address ?? null,
    talos: machine.talos ?? null,
    etcd: machine.etcd ?? null,
    schedulable: machine.schedulable ?? null,
    kubernetes: machine.kubernetes ?? null,
  })),
  network: status.network,
  drift: status.drift,
  steps: status.steps ?? null,
  asks: status.asks,
  doubts: status.doubts,
  lastRun: status.lastRun ?? null,
});

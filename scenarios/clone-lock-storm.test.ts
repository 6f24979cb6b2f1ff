import { expect, test } from 'vitest';
import { dataCentre } from '../test/data-centre.ts';

/** Backups, snapshots and other people hold locks while we make machines: that is waited for. */
test('locks held by others, and storages that are busy, cost time and nothing else', async () => {
  await using here = await dataCentre({ seed: 7 });
  const { proxmox } = here.lab;
  proxmox.fail({ kind: 'lock', match: 'POST /nodes/*/qemu/*/status/start', delayMs: 4000, share: 0.5 });
  proxmox.fail({ kind: 'lock', match: 'PUT /nodes/*/qemu/*/resize', delayMs: 4000, share: 0.5 });
  proxmox.fail({
    kind: 'fail-task',
    match: 'POST /nodes/*/qemu',
    share: 0.3,
    times: 3,
    reason: "can't lock file '/var/lock/pve-manager/pve-storage-local-lvm' - got timeout",
  });
  const { status, stderr } = await here.up();
  expect([status, stderr]).toEqual([0, '']);
  expect(Object.values(here.nodes())).toEqual(Array.from({ length: 6 }, () => true));
  expect(Object.keys(here.vms())).toHaveLength(6);
});

import { describe, expect, test } from 'vitest';
import { aVm, hostOf, node, passing, vmid } from '../../../../test/proxmox-vm.ts';

type Row = Readonly<Record<string, unknown>>;

describe('what is seen of a VM', () => {
  test('that is off, and has no name', async () => {
    using lab = await aVm({ memory: 64, cores: 99, scsi0: 'disks:2', serial0: 'socket', vga: 'serial0', tags: 'b;a' });
    const row = {
      vmid,
      name: 'VM 100',
      status: 'stopped',
      cpus: 16,
      cpu: 0,
      maxmem: 64 * 1024 ** 2,
      mem: 0,
      memhost: 0,
      maxdisk: 2 * 1024 ** 3,
      disk: 0,
      netin: 0,
      netout: 0,
      uptime: 0,
      serial: 1,
      tags: 'a;b',
    };
    expect(await lab.ask('GET /nodes/{node}/qemu', { node })).toEqual([row]);
    expect(await lab.on('GET /status/current')).toEqual({
      ...row,
      qmpstatus: 'stopped',
      ha: { managed: 0 },
      clipboard: null,
    });
  });

  test('that runs', async () => {
    using lab = await aVm({ agent: 1, net0: 'virtio,bridge=vmbr0', scsi0: 'disks:1', machine: 'q35' }, { runs: true });
    await lab.clock.advance(42_000);
    const now = (await lab.on('GET /status/current')) as Row;
    expect(now).toMatchObject({
      status: 'running',
      qmpstatus: 'running',
      agent: 1,
      uptime: 42,
      'running-machine': 'pc-q35-10.0+pve1',
      nics: { tap100i0: {} },
      blockstat: { scsi0: { rd_bytes: expect.any(Number) as unknown } },
    });
    expect([typeof now['pid'], now['pressurecpusome']]).toEqual(['number', 0]);
    expect((await lab.on('GET /rrddata', { timeframe: 'hour' })) as Row[]).toHaveLength(70);
  });

  test('by an older release, which does not know what its host uses', async () => {
    using lab = await aVm({}, { version: '8.4', runs: true });
    const now = (await lab.on('GET /status/current')) as Row;
    expect([now['memhost'], now['pressurecpusome']]).toEqual([undefined, undefined]);
  });

  test('by who may not see it', async () => {
    using lab = await aVm();
    expect(await lab.ask('GET /nodes/{node}/qemu', { node }, { may: () => false })).toEqual([]);
  });
});

test('an older release asks for no right to start or tag what is created', async () => {
  const may = (_path: string, wanted: readonly string[]): boolean =>
    !wanted.includes('VM.PowerMgmt') && !wanted.includes('VM.Config.Options');
  const params = { node, vmid: 101, tags: 'a', start: 1 };
  using eight = await aVm({}, { version: '8.4' });
  expect((await eight.task('POST /nodes/{node}/qemu', params, { may })).exit).toBe('OK');
  using nine = await aVm();
  expect(await nine.refused('POST /nodes/{node}/qemu', params, { may })).toBe(
    'Permission check failed (/vms/101, VM.PowerMgmt)',
  );
});

test('somebody may have been told to sit on a lock', async () => {
  using lab = await aVm();
  const { faults } = lab.datacenter;
  faults.add({ kind: 'lock', match: 'PUT /nodes/*/qemu/*/config', delayMs: 60_000, times: 1 });
  const put = (): Promise<string> =>
    faults.during({ method: 'PUT', path: '/nodes/pve1/qemu/100/config' }, () =>
      passing(lab, lab.refused('PUT /nodes/{node}/qemu/{vmid}/config', { node, vmid, name: 'x' })),
    );
  expect(await put()).toBe("can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout");
  await lab.clock.advance(60_000);
  expect(await put()).toBe('no refusal');
});

test('consoles have a ticket, and nobody behind it', async () => {
  using lab = await aVm({ serial0: 'socket' });
  expect(await lab.on('POST /vncproxy')).toMatchObject({ port: 5900, user: 'root@pam!test' });
  expect(await lab.on('POST /termproxy')).toMatchObject({ port: 5900 });
  await lab.clock.advance(11_000);
  expect(hostOf(lab).tasks.at(-1)?.exit).toBe('connection timed out');
  expect(await lab.on('POST /monitor', { command: 'info status' })).toBe(
    "ERROR: VM 100 qmp command 'human-monitor-command' failed - VM 100 not running\n",
  );
  await lab.ends('POST /status/start');
  expect(await lab.on('POST /monitor', { command: 'info status' })).toBe('VM status: running\r\n');
  expect(await lab.not('POST /monitor', { command: 'quit' })).toBe("root-only command 'quit'");
});

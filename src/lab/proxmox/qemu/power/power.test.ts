import { describe, expect, test } from 'vitest';
import { aVm, hostOf, node, vmid } from '../../../../../test/proxmox-vm.ts';
import { lockFile } from '../../file-lock.ts';
import { died } from '../../refusal.ts';
import { powerFailure, watchPower } from './host-power.ts';

describe('start', () => {
  test.each<[Record<string, string | number>, readonly string[]]>([
    [{ memory: 64 }, ['OK']],
    [
      { bios: 'ovmf', scsi0: 'disks:1,iothread=1' },
      [
        'WARNINGS: 2',
        'WARN: no efidisk configured! Using temporary efivars disk.',
        'WARN: iothread is only valid with virtio disk or virtio-scsi-single controller, ignoring',
      ],
    ],
    [{ scsihw: 'virtio-scsi-single', scsi0: 'disks:1,iothread=1' }, ['OK']],
    [{ cores: 17 }, ['MAX 16 vcpus allowed per VM on this node']],
    [
      { memory: 999_999 },
      [
        'start failed: QEMU exited with code 1',
        "qemu-system-x86_64: cannot set up guest memory 'pc.ram': Cannot allocate memory",
      ],
    ],
    [{ net0: 'virtio,bridge=vmbr9' }, ["bridge 'vmbr9' does not exist"]],
    [
      { machine: 'pc-q35-19.0' },
      [
        "Installed QEMU version '10.0.13' is too old to run machine type 'pc-q35-19.0+pve0', please upgrade node 'pve1'",
      ],
    ],
    [{ template: 1 }, ["you can't start a vm if it's a template"]],
    [{ ide0: 'disks:cloudinit' }, ['OK', 'generating cloud-init ISO']],
  ])('%o: %j', async (config, expected) => {
    using lab = await aVm(config);
    expect(await lab.ends('POST /status/start')).toEqual(expected);
    expect(lab.vm().run !== undefined).toBe(/^(OK|WARN)/.test(expected[0] ?? ''));
  });

  test('tells the guest what it has, in the order in which it boots', async () => {
    using lab = await aVm({
      name: 'machine',
      cores: 2,
      sockets: 2,
      memory: 512,
      smbios1: 'uuid=11111111-2222-4333-8444-555555555555',
      scsi0: 'disks:1,serial=root',
      scsi1: 'disks:2',
      ide2: 'none,media=cdrom',
      net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0,tag=7',
      boot: 'order=ide2;scsi1',
      agent: 1,
    });
    await lab.ends('POST /status/start');
    const { drives, ...hardware } = lab.started[0]?.hardware ?? { drives: [] };
    expect(hardware).toEqual({
      vmid,
      name: 'machine',
      host: node,
      uuid: '11111111-2222-4333-8444-555555555555',
      cpus: 4,
      memoryMiB: 512,
      nics: [{ slot: 'net0', mac: 'BC:24:11:00:00:01', bridge: 'vmbr0', tag: 7 }],
      cloudInit: undefined,
      agentChannel: true,
    });
    expect(
      drives.map(({ slot, kind, bootable, serial, volume }) => [slot, kind, bootable, serial, volume?.bytes]),
    ).toEqual([
      ['ide2', 'cdrom', true, undefined, undefined],
      ['scsi1', 'disk', true, undefined, 2 * 1024 ** 3],
      ['scsi0', 'disk', false, 'root', 1024 ** 3],
    ]);
  });

  test('of a VM that runs, or that nobody has, is refused by the task and not by the call', async () => {
    using lab = await aVm({}, { runs: true });
    expect(await lab.ends('POST /status/start')).toEqual(['VM 100 already running']);
    await lab.ends('POST /status/suspend');
    expect(await lab.ends('POST /status/start')).toEqual(['VM 100 already running']);
    const nowhere = "Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist";
    expect(await lab.ends('POST /status/start', { vmid: 999 })).toEqual([nowhere]);
    for (const call of ['POST /status/stop', 'POST /status/shutdown'])
      expect(await lab.ends(call, { vmid: 999 })).toEqual([
        "unable to find configuration file for VM 999 on node 'pve1'",
      ]);
    for (const call of ['POST /status/reset', 'POST /status/reboot', 'POST /status/suspend', 'POST /status/resume'])
      expect(await lab.not(call, { vmid: 999 })).toBe("unable to find configuration file for VM 999 on node 'pve1'");
  });

  test('of a VM that is locked waits for nobody', async () => {
    using lab = await aVm({ memory: 64 });
    const root = { who: { user: 'root@pam', token: undefined } };
    const put = 'PUT /nodes/{node}/qemu/{vmid}/config';
    const locked = lab.ask(put, { node, vmid, lock: 'backup' }, root);
    await lab.clock.advance(1000);
    await locked;
    expect(await lab.ends('POST /status/start')).toEqual(['VM is locked (backup)']);
    expect(await lab.ends('POST /status/stop')).toEqual(['OK']);
    expect(await lab.ends('PUT /resize', { disk: 'scsi0', size: '+1G' })).toEqual(['VM is locked (backup)']);
    expect(await lab.ends('DELETE')).toEqual(['VM is locked (backup)']);
    expect(await lab.not('POST /clone', { newid: 101 })).toBe('VM is locked (backup)');
    const upid = await lab.ask('POST /nodes/{node}/qemu/{vmid}/status/start', { node, vmid, skiplock: 1 }, root);
    await lab.clock.advance(2000);
    expect([typeof upid, lab.vm().run !== undefined]).toEqual(['string', true]);
    expect(await lab.ends('POST /status/stop')).toEqual(['VM is locked (backup)']);
  });
});

describe('shutdown', () => {
  test('goes through the agent where it answers', async () => {
    using lab = await aVm({ agent: 1 }, { runs: true });
    expect(await lab.ends('POST /status/shutdown', { timeout: 60 })).toEqual(['OK']);
    expect([lab.started[0]?.heard, lab.vm().run]).toEqual([['agent', 'cut'], undefined]);
  });

  test('presses the power button where it does not, after a while', async () => {
    using lab = await aVm({ agent: 1 }, { runs: true, puppet: { answers: false } });
    const before = lab.clock.now().getTime();
    expect(await lab.ends('POST /status/shutdown')).toEqual([
      'OK',
      "QEMU Guest Agent is not running - VM 100 qga command 'guest-ping' failed - got timeout",
    ]);
    expect(lab.clock.now().getTime() - before).toBeGreaterThanOrEqual(3000);
    expect(lab.started[0]?.heard).toEqual(['power button', 'cut']);
  });

  test.each([
    [{}, { timeout: 4 }, 4, 'VM quit/powerdown failed - got timeout'],
    [{}, {}, 60, 'VM quit/powerdown failed - got timeout'],
    [{ startup: 'order=1,down=7' }, {}, 7, 'VM quit/powerdown failed - got timeout'],
    [{ agent: 1 }, {}, 600, 'VM quit/powerdown failed'],
  ])('of a deaf guest with %o and %o takes %i s: %s', async (config, params, seconds, words) => {
    using lab = await aVm(config, { runs: true, puppet: { obeys: false } });
    const before = lab.clock.now().getTime();
    expect(await lab.ends('POST /status/shutdown', params)).toEqual([words]);
    expect(Math.floor((lab.clock.now().getTime() - before) / 1000)).toBe(seconds);
    expect(lab.vm().run).toBeDefined();
  });

  test('by force ends all of them', async () => {
    using lab = await aVm({}, { runs: true, puppet: { obeys: false } });
    expect(await lab.ends('POST /status/shutdown', { timeout: 3, forceStop: 1 })).toEqual([
      'OK',
      'VM still running - terminating now with SIGTERM',
    ]);
    expect(lab.vm().run).toBeUndefined();
  });

  test('holds the lock while it waits; who may overrule it gets past', async () => {
    using lab = await aVm({ memory: 64 }, { runs: true, puppet: { obeys: false } });
    const shutdown = await lab.ask('POST /nodes/{node}/qemu/{vmid}/status/shutdown', { node, vmid, timeout: 600 });
    await lab.clock.advance(1000);
    const busy = "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout";
    expect(await lab.not('PUT /config', { description: 'x' })).toBe(busy);
    expect(await lab.ends('POST /status/stop')).toEqual([busy, 'trying to acquire lock...']);
    expect(await lab.not('DELETE')).toBe('VM 100 is running - destroy failed');
    expect(await lab.ends('POST /status/stop', { 'overrule-shutdown': 1 })).toEqual([
      'OK',
      `overruled qmshutdown tasks: ${String(shutdown)}`,
    ]);
    const task = hostOf(lab).tasks.find(({ upid }) => upid === shutdown);
    expect([task?.exit, lab.vm().run]).toEqual(['received interrupt', undefined]);
  });
});

test('a reboot is a shutdown; somebody else starts the VM again, with what waited', async () => {
  using lab = await aVm({ memory: 64 }, { runs: true });
  await lab.on('PUT /config', { memory: 128 });
  expect(await lab.ends('POST /status/reboot')).toEqual(['OK']);
  expect(lab.vm().run).toBeUndefined();
  await lab.clock.advance(5000);
  const last = hostOf(lab).tasks.at(-1);
  expect([last?.type, last?.who, last?.exit]).toEqual(['qmstart', { user: 'root@pam', token: undefined }, 'OK']);
  expect(lab.started[1]?.hardware.memoryMiB).toBe(128);
});

test('a reboot that fails is forgotten', async () => {
  using lab = await aVm({}, { runs: true, puppet: { obeys: false } });
  expect(await lab.ends('POST /status/reboot', { timeout: 2 })).toEqual(['VM quit/powerdown failed - got timeout']);
  await lab.ends('POST /status/stop');
  await lab.clock.advance(60_000);
  expect(lab.vm().run).toBeUndefined();
});

test('a VM that is started at once after a shutdown keeps everybody out for half a minute', async () => {
  using lab = await aVm({}, { runs: true });
  await lab.ends('POST /status/shutdown');
  expect(await lab.ends('POST /status/start')).toEqual(['OK']);
  await lab.clock.advance(3000);
  const busy = "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout";
  expect(await lab.ends('POST /status/stop')).toEqual([busy, 'trying to acquire lock...']);
  await lab.clock.advance(20_000);
  expect(await lab.ends('POST /status/stop')).toEqual(['OK']);
  expect(await lab.ends('POST /status/start')).toEqual(['OK']);
  expect(await lab.ends('POST /status/stop')).toEqual(['OK']);
});

test('a guest that ends by itself is seen to have shut down before it is gone', async () => {
  using lab = await aVm({}, { runs: true });
  lab.started[0]?.board.off();
  expect(await lab.on('GET /status/current')).toMatchObject({ status: 'running', qmpstatus: 'shutdown' });
  await lab.clock.advance(1000);
  expect(await lab.on('GET /status/current')).toMatchObject({ status: 'stopped', qmpstatus: 'stopped' });
});

test('a VM that must not reboot ends instead', async () => {
  using lab = await aVm({ reboot: 0 }, { runs: true });
  lab.started[0]?.board.rebooted();
  await lab.clock.advance(1000);
  expect(lab.vm().run).toBeUndefined();
});

test('pausing, resuming and resetting reach the guest', async () => {
  using lab = await aVm({ agent: 1 }, { runs: true });
  expect(await lab.ends('POST /status/suspend')).toEqual(['OK']);
  expect(await lab.on('GET /status/current')).toMatchObject({ status: 'running', qmpstatus: 'paused' });
  expect(await lab.not('POST /status/shutdown')).toBe('VM is paused - cannot shutdown');
  expect(await lab.not('POST /status/reboot')).toBe('VM is paused - cannot shutdown');
  expect(await lab.ends('POST /status/resume')).toEqual(['OK']);
  expect(await lab.ends('POST /status/resume')).toEqual(['OK']);
  expect(await lab.ends('POST /status/reset')).toEqual(['OK']);
  expect(lab.started[0]?.heard).toEqual(['reset']);
});

test('a VM that is suspended to disk goes on from there', async () => {
  using lab = await aVm({ memory: 64, scsi0: 'disks:1' }, { runs: true });
  expect(await lab.ends('POST /status/suspend', { todisk: 1 })).toEqual(['OK', 'State saved, quitting']);
  expect([lab.vm().config.get('lock'), lab.vm().run]).toEqual(['suspended', undefined]);
  expect(lab.vm().config.get('vmstate')).toMatch(/^disks:100\/vm-100-state-suspend-\d{4}-\d\d-\d\d\.raw$/);
  expect(await lab.ends('POST /status/resume')).toEqual(['OK', 'Resuming suspended VM', 'Resumed VM, removing state']);
  expect([lab.vm().config.has('lock'), lab.vm().config.has('vmstate')]).toEqual([false, false]);
});

describe('of a VM that the HA manager keeps', () => {
  test('power is a request to the manager', async () => {
    using lab = await aVm({}, { hosts: 3 });
    const asked: unknown[] = [];
    const { ha } = lab.datacenter;
    Object.assign(ha, {
      isManaged: () => true,
      request: (...request: unknown[]) => void asked.push(request),
      migrate: (...request: unknown[]) => void asked.push(request),
    });
    expect(await lab.ends('POST /status/start')).toEqual(['OK', 'Requesting HA start for VM 100']);
    expect(await lab.ends('POST /status/stop')).toEqual(['OK', 'Requesting HA stop for VM 100']);
    expect(await lab.ends('POST /status/shutdown', { timeout: 9 })).toEqual(['OK', 'Requesting HA stop for VM 100']);
    expect(await lab.ends('POST /migrate', { target: 'pve2' })).toEqual([
      'OK',
      'Requesting HA migration for VM 100 to node pve2',
    ]);
    expect(asked).toEqual([
      [100, 'started'],
      [100, 'stopped', 0],
      [100, 'stopped', 9],
      [100, 'pve2'],
    ]);
    expect(await lab.not('POST /status/stop', { 'overrule-shutdown': 1 })).toBe(
      'overrule-shutdown: Not applicable for HA resources.',
    );
  });
});

test('a host that dies takes workers, guests and locks with it; what starts on boot comes back', async () => {
  using lab = await aVm({ onboot: 1 }, { runs: true, hosts: 3 });
  const { datacenter } = lab;
  watchPower(datacenter);
  const host = hostOf(lab);
  const upid = await lab.ask('POST /nodes/{node}/qemu/{vmid}/status/shutdown', { node, vmid });
  const held = lockFile(datacenter.clock, host, vmid)
    .take(0, () => datacenter.clock.sleep(99_000))
    .catch(() => died(''));
  host.state = 'dead';
  await powerFailure(datacenter, host);
  expect([host.tasks.find((task) => task.upid === upid)?.exit, lab.vm().run, lab.started[0]?.heard.at(-1)]).toEqual([
    'unexpected status',
    undefined,
    'cut',
  ]);
  expect(lockFile(datacenter.clock, host, vmid).held).toBe(false);
  host.state = 'up';
  for (const watcher of datacenter.hostWatchers) watcher(host, 'dead');
  await lab.clock.advance(100_000);
  await held;
  expect(lab.vm().run).toBeDefined();
});

test('without a quorum VMs stop, and do not start', async () => {
  using lab = await aVm({}, { runs: true, hosts: 3 });
  for (const name of ['pve2', 'pve3']) lab.datacenter.setHost(name, 'dead');
  expect(await lab.ends('POST /status/stop')).toEqual(['OK']);
  expect(await lab.not('POST /status/start')).toBe('cluster not ready - no quorum?');
});

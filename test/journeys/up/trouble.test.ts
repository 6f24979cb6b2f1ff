import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { root, type Ran } from '../../cli.ts';
import { dataCentre, type DataCentre } from '../../data-centre.ts';
import { destroyAsRoot } from '../../lab/as-root.ts';
import { work } from '../../lab/proxmox-api.ts';

type Running = { readonly child: ChildProcess; readonly ended: Promise<Ran> };

/** The command line while it runs. */
function begun(here: DataCentre, args: readonly string[]): Running {
  const child = spawn(process.execPath, [join(root, 'dist/ichor.js'), ...args], {
    cwd: here.folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], CI: '1' },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const ended = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject).on('close', (status) => resolve({ status, ...said }));
  });
  return { child, ended };
}

/** What the newest journal says so far. */
function journal(here: DataCentre): string {
  const runs = join(here.folder, '.ichor/default/runs');
  const newest = existsSync(runs) ? readdirSync(runs).toSorted().at(-1) : undefined;
  return newest === undefined ? '' : readFileSync(join(runs, newest), 'utf8');
}

async function until(holds: () => boolean, atMostMs = 60_000): Promise<void> {
  for (const end = Date.now() + atMostMs; !holds();) {
    if (Date.now() > end) throw new Error(`In vain: ${holds.toString()}`);
    await setTimeout(10);
  }
}

describe.concurrent('in trouble', () => {
  test('two runs at once: the second is told who runs, since when and where', async () => {
    await using here = await dataCentre({ small: true });
    const first = begun(here, ['up', '--yes']);
    await until(() => journal(here).includes('"intent"'));
    const second = await here.up();
    expect([second.status, second.stderr]).toEqual([1, expect.stringMatching(/runs since|holds the lock|locked/i)]);
    expect(second.stderr).toContain(String(first.child.pid));
    expect(second.stderr).toContain('ichor unlock');
    expect((await first.ended).status).toBe(0);
    expect(here.nodes()).toEqual({ 'lab-cp-0': true, 'lab-general-0': true });
  });

  test('Ctrl-C stops at a safe point and says how to go on; up goes on from there', async () => {
    await using here = await dataCentre({ small: true, speed: 10 });
    const run = begun(here, ['up', '--yes']);
    await until(() => journal(here).includes('machine.create'));
    run.child.kill('SIGINT');
    const { status, stdout, stderr } = await run.ended;
    expect(status).toBe(130);
    expect(stdout + stderr).toMatch(/ichor up/);
    expect(existsSync(join(here.folder, '.ichor/default/lock'))).toBe(false);
    expect(journal(here).trim().split('\n').at(-1)).toContain('"stopped"');
    expect((await here.up()).status).toBe(0);
    expect(here.nodes()).toEqual({ 'lab-cp-0': true, 'lab-general-0': true });
  });

  test('a lock whose holder was killed holds nothing', async () => {
    await using here = await dataCentre({ small: true });
    const run = begun(here, ['up', '--yes']);
    await until(() => journal(here).includes('"intent"'));
    run.child.kill('SIGKILL');
    await run.ended;
    expect((await here.up()).status).toBe(0);
  });

  test('a host that dies in the middle: what can be done is done, and nothing is made twice', async () => {
    await using here = await dataCentre();
    const run = begun(here, ['up', '--yes', '--timeout', '4s']);
    await until(() => here.lab.proxmox.vms().some(({ host }) => host === 'pve3'));
    here.lab.proxmox.setHost('pve3', 'dead');
    const { status, stderr } = await run.ended;
    expect([status, stderr]).toEqual([1, expect.stringContaining('pve3')]);
    here.lab.proxmox.setHost('pve3', 'up');
    // Nothing but a lock is left of what the host was making, and only its root can take that away.
    const told = await here.up();
    expect([told.status, told.stderr]).toEqual([1, expect.stringContaining('qm unlock')]);
    const left = here.lab.proxmox.vms().filter(({ config }) => config['lock'] === 'create');
    for (const { vmid } of left) expect(told.stderr).toContain(`qm destroy ${vmid}`);
    // Workers are made when all control planes are.
    expect(Object.keys(here.vms())).toEqual(['401', '402', '403']);
    await Promise.all(left.map(({ vmid, host }) => destroyAsRoot(here.lab, host, vmid)));
    const again = await here.up();
    expect({ status: again.status, stderr: again.stderr }).toMatchObject({ status: 0 });
    expect(Object.keys(here.vms())).toHaveLength(6);
    expect(Object.values(here.nodes())).toEqual(Array.from({ length: 6 }, () => true));
  });

  test('a node that never gets an address: it says what to check', async () => {
    await using here = await dataCentre({ small: true });
    here.edit(
      [/(general: \{[^}]*), addresses: [\d.-]+/, '$1'],
      [/addresses: static/, 'addresses: dhcp'],
      [/extensions: \[qemu-guest-agent\]/, 'extensions: []'],
      [/(controlPlane: \{[^}]*), addresses: [\d.-]+/, '$1'],
    );
    const { status, stderr } = await here.up('--timeout', '2s');
    expect([status, stderr]).toEqual([1, expect.stringContaining('address')]);
    expect(stderr).toContain('qemu-guest-agent');
    expect(stderr).toMatch(/DHCP/);
  });

  test('destroy leaves alone who took a VMID of ours', async () => {
    await using here = await dataCentre({ small: true });
    expect((await here.up()).status).toBe(0);
    const [endpoint = ''] = here.lab.proxmox.endpoints.values();
    const api = { endpoint, ca: here.lab.proxmox.ca, token: here.lab.proxmox.token('somebody') };
    await work(api, 'POST', '/nodes/pve2/qemu', { vmid: '402', name: 'web', memory: '512', scsi0: 'local-lvm:1' });
    const { status, stderr } = await here.destroy();
    expect([status, stderr]).toEqual([0, '']);
    expect(here.vms()).toEqual({ 402: 'web' });
  });

  test('a plan that was signed off is carried out, and refused once the world has moved', async () => {
    await using here = await dataCentre({ small: true });
    expect((await here.ichor(['plan', '--out', 'signed.json'])).status).toBe(0);
    const [endpoint = ''] = here.lab.proxmox.endpoints.values();
    const api = { endpoint, ca: here.lab.proxmox.ca, token: here.lab.proxmox.token('somebody') };
    await work(api, 'POST', '/nodes/pve1/qemu', { vmid: '401', name: 'web', memory: '512', scsi0: 'local-lvm:1' });
    here.writes();
    const refused = await here.ichor(['up', '--plan', 'signed.json']);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(/world|moved|changed/)]);
    expect(here.writes()).toEqual([]);
    expect((await here.ichor(['plan', '--out', 'signed.json'])).status).toBe(0);
    const done = await here.ichor(['up', '--plan', 'signed.json']);
    expect({ status: done.status, stderr: done.stderr }).toEqual({ status: 0, stderr: '' });
    expect(here.nodes()).toEqual({ 'lab-cp-0': true, 'lab-general-0': true });
  });
});

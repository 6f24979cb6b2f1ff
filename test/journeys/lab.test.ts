import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ichorBeside, type Ran } from '../cli.ts';
import { folderForAll } from '../folder.ts';
import { asked, eventually } from '../lab/asking.ts';
import { call, work, type Api } from '../lab/proxmox-api.ts';

// Another checkout may run the same story at the same time.
const network = (offset: number): string =>
  `127.${200 + (process.pid % 40)}.${(Math.floor(process.pid / 40) + offset) % 250}.0/24`;

type Started = {
  readonly name: string;
  readonly proxmox: {
    readonly endpoint: string;
    readonly token: string;
    readonly ca: string;
    readonly hosts: string[];
  };
  readonly factory: string;
  readonly network: { readonly guests: string };
  readonly platform: string;
  readonly dir: string;
  readonly pid: number;
};

/** One that has ended may be listed until its parent has looked. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe('a lab in the background', () => {
  const state = folderForAll();
  const env = { XDG_STATE_HOME: state };
  const run = (...args: readonly string[]): Promise<Ran> => ichorBeside(['lab', ...args], { env });
  const json = async (...args: readonly string[]): Promise<unknown> => {
    const { status, stdout, stderr } = await run(...args, '--output', 'json');
    expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
    return JSON.parse(stdout) as unknown;
  };
  let lab: Started;
  let api: Api;

  beforeAll(async () => {
    lab = (await json('start', '--detach', '--speed', '50', '--network', network(0))) as Started;
    const { endpoint, token, ca } = lab.proxmox;
    api = { endpoint, token, ca: readFileSync(ca, 'utf8') };
  });
  afterAll(() => run('stop', '--all'));

  test('says where everything is, and keeps its token to its owner', () => {
    const base = network(0).replace('0/24', '');
    expect(lab).toMatchObject({
      name: 'lab',
      proxmox: { endpoint: `https://${base}2:8006`, hosts: ['pve1', 'pve2', 'pve3'] },
      factory: `http://${base}1:8080`,
      network: { guests: `${base}128/25` },
      dir: join(state, 'ichor/labs/lab'),
    });
    expect(readdirSync(lab.dir).toSorted((one, other) => one.localeCompare(other))).toEqual([
      'ca.pem',
      'control',
      'ichor-token',
      'lab.json',
      'log',
      'platform.yaml',
      'token',
    ]);
    const mode = (file: string): number => statSync(join(lab.dir, file)).mode & 0o777;
    expect([mode('.'), mode('lab.json'), mode('log')]).toEqual([0o700, 0o600, 0o600]);
    expect(readFileSync(join(lab.dir, 'token'), 'utf8')).toBe(`${lab.proxmox.token}\n`);
    for (const token of ['token', 'ichor-token']) {
      expect(mode(token)).toBe(0o600);
      const value = /=(\S+)/.exec(readFileSync(join(lab.dir, token), 'utf8'))?.[1] ?? '';
      expect(value).toMatch(/^[0-9a-f-]{36}$/);
      for (const file of ['lab.json', 'log', 'platform.yaml'])
        expect(readFileSync(join(lab.dir, file), 'utf8')).not.toContain(value);
      expect(readFileSync(`/proc/${lab.pid}/cmdline`, 'utf8')).not.toContain(value);
    }
  });

  test('has a platform file that is valid and fits', async () => {
    const { status, stdout } = await ichorBeside(['validate', '-f', lab.platform]);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^valid: platform lab: 3 control planes, 3 workers, Talos v1\.13\.9/),
    ]);
    expect((await ichorBeside(['place', '-f', lab.platform, '--output', 'json'])).status).toBe(0);
  });

  test('answers as Proxmox does, to whoever has the token and knows the authority', async () => {
    expect(await call(api, 'GET', '/version')).toMatchObject({ release: '9.2' });
    expect(await call(api, 'GET', '/nodes')).toHaveLength(3);
    await expect(call({ ...api, token: 'root@pam!lab=nothing' }, 'GET', '/nodes')).rejects.toThrow('401');
    const { ca: _, ...stranger } = api;
    await expect(call({ ...stranger, ca: '' }, 'GET', '/version')).rejects.toThrow(/certificate/);
  });

  test('runs a VM from an image of its factory, and knows where it is', async () => {
    const made = await fetch(`${lab.factory}/schematics`, {
      method: 'POST',
      body: 'customization: { systemExtensions: { officialExtensions: [siderolabs/qemu-guest-agent] } }',
    });
    const { id } = (await made.json()) as { readonly id: string };
    const address = network(0).replace('0/24', '150');
    await work(api, 'POST', '/nodes/pve2/storage/local/download-url', {
      url: `${lab.factory}/image/${id}/v1.13.9/nocloud-amd64.qcow2`,
      content: 'import',
      filename: 'talos.qcow2',
    });
    await work(api, 'POST', '/nodes/pve2/qemu', {
      vmid: '401',
      name: 'story-cp-0',
      memory: '4096',
      cores: '2',
      agent: '1',
      scsihw: 'virtio-scsi-pci',
      scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2',
      ide0: 'local-lvm:cloudinit',
      ipconfig0: `ip=${address}/25,gw=${network(0).replace('0/24', '129')}`,
      net0: 'virtio=BC:24:11:00:04:01,bridge=vmbr0',
      boot: 'order=scsi0',
    });
    await work(api, 'POST', '/nodes/pve2/qemu/401/status/start');
    const seen = async (): Promise<unknown> =>
      ((await json('status')) as { labs: { vms: unknown[] }[] }).labs[0]?.vms[0];
    await eventually(seen, (vm) => (vm as { talos?: { stage: string } }).talos?.stage === 'maintenance');
    expect(await seen()).toEqual({
      vmid: 401,
      name: 'story-cp-0',
      host: 'pve2',
      running: true,
      talos: { version: 'v1.13.9', stage: 'maintenance', hostname: 'story-cp-0' },
      addresses: [address],
    });
    expect((await asked({ host: address }, 'Version')).code).toBe('OK');
    const agent = (await call(api, 'GET', '/nodes/pve2/qemu/401/agent/network-get-interfaces')) as {
      readonly result: readonly { readonly name: string }[];
    };
    expect(agent.result.map(({ name }) => name)).toContain('eth0');
    expect((await run('status')).stdout).toMatch(/401 {2}story-cp-0 {2}pve2 {2}Talos v1\.13\.9, maintenance {2}127\./);
  });

  test('has its name for itself', async () => {
    const { status, stderr } = await run('start', '--detach', '--network', network(1));
    expect([status, stderr]).toEqual([1, expect.stringContaining(`The lab "lab" runs already (process ${lab.pid}).`)]);
    expect(isAlive(lab.pid)).toBe(true);
  });

  test('has its network for itself, too: who asks for it is told, who does not gets another one', async () => {
    const refused = await run('start', '--detach', '--name', 'second', '--network', network(0));
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('Somebody listens on')]);
    expect(readdirSync(join(state, 'ichor/labs'))).toEqual(['lab']);
  });

  test('a lab that was killed is not taken for one that runs, and leaves nothing when somebody looks', async () => {
    const second = (await json(
      'start',
      '--detach',
      '--name',
      'second',
      '--hosts',
      '1',
      '--network',
      network(2),
    )) as Started;
    process.kill(second.pid, 'SIGKILL');
    await eventually(
      () => isAlive(second.pid),
      (alive) => !alive,
    );
    const labs = (await json('status')) as { labs: { name: string }[] };
    expect(labs.labs.map(({ name }) => name)).toEqual(['lab']);
    expect(existsSync(second.dir)).toBe(false);
    const { status, stderr } = await run('stop', '--name', 'second');
    expect([status, stderr]).toEqual([1, expect.stringContaining('No lab "second" runs.')]);
  });

  test('ends when it is told to, and nothing of it is left', async () => {
    expect((await run('stop')).stdout).toBe('lab: gone\n');
    expect(isAlive(lab.pid)).toBe(false);
    expect(readdirSync(state)).toEqual([]);
    await expect(call(api, 'GET', '/version')).rejects.toThrow('ECONNREFUSED');
    expect((await run('status')).stdout).toContain('No lab runs.');
  });
});

test('in a folder of its own choice, with one loopback address', async () => {
  const state = folderForAll();
  // Longer than the path of a socket may be.
  const dir = join(state, 'elsewhere'.repeat(12));
  const env = { XDG_STATE_HOME: join(state, 'state') };
  const started = await ichorBeside(
    ['lab', 'start', '--detach', '--mapped', '--hosts', '2', '--pve', '8.4', '--dir', dir, '--output', 'json'],
    { env },
  );
  const lab = JSON.parse(started.stdout) as Started;
  expect(lab.proxmox.endpoint).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const api = { ...lab.proxmox, ca: readFileSync(join(dir, 'ca.pem'), 'utf8') };
  expect(await call(api, 'GET', '/version')).toMatchObject({ release: '8.4' });
  expect((await ichorBeside(['validate', '-f', join(dir, 'platform.yaml')])).status).toBe(0);
  expect((await ichorBeside(['lab', 'stop', '--output', 'json'], { env })).stdout).toBe(
    '{\n  "stopped": [\n    "lab"\n  ]\n}\n',
  );
  expect(readdirSync(state)).toEqual(['state']);
});

test.each(['its files', 'its entry'] as const)(
  'a lab ends by itself when somebody takes the folder with %s away',
  async (what) => {
    const state = folderForAll();
    const [dir, entry] = [join(state, 'files'), join(state, 'state')];
    const env = { XDG_STATE_HOME: entry };
    const options = ['--detach', '--mapped', '--hosts', '1', '--dir', dir, '--output', 'json'];
    const { pid } = JSON.parse((await ichorBeside(['lab', 'start', ...options], { env })).stdout) as Started;
    expect(isAlive(pid)).toBe(true);
    rmSync(what === 'its files' ? dir : entry, { recursive: true });
    await eventually(
      () => isAlive(pid),
      (alive) => !alive,
    );
    expect(readdirSync(state)).toEqual(what === 'its files' ? ['state'] : []);
    expect((await ichorBeside(['lab', 'status'], { env })).stdout).toContain('No lab runs.');
  },
);

test.each([
  [['--name', 'No Name'], '"No Name" is no name for a lab.'],
  [['--network', '10.0.0.0/24'], '"10.0.0.0/24" is no loopback network for a lab.'],
  [['--network', '127.0.70.1/24'], 'does not begin where such a network begins.'],
  [['--network', '127.0.70.0/24', '--hosts', '200'], 'There is no room for 200 hosts in 127.0.70.0/24.'],
  [['--hosts', '0'], 'A lab cannot have 0 hosts.'],
  [['--speed', '0'], 'A lab whose time stands still would never start anything.'],
  [['--speed', '100000'], 'A lab cannot be 100000 times as fast.'],
  [['--detach', '--reservations', '/nowhere'], '"/nowhere" does not exist.'],
] as const)('%j is refused before anything starts', async (options, words) => {
  const state = folderForAll();
  const { status, stderr } = await ichorBeside(['lab', 'start', ...options], { env: { XDG_STATE_HOME: state } });
  expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
  expect(readdirSync(state)).toEqual([]);
});

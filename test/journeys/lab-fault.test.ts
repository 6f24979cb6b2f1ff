import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ichorBeside, type Ran } from '../cli.ts';
import { folderForAll } from '../folder.ts';
import { eventually } from '../lab/asking.ts';
import { call, type Api } from '../lab/proxmox-api.ts';

// Another checkout may run the same story at the same time.
const network = `127.${100 + (process.pid % 50)}.${Math.floor(process.pid / 50) % 250}.0/24`;

type Seen = {
  readonly hosts: readonly { readonly name: string; readonly state: string }[];
  readonly vms: readonly { readonly name: string; readonly host: string; readonly running: boolean }[];
  readonly clusters: readonly {
    readonly endpoint: string;
    readonly holder?: string;
    readonly nodes: readonly { readonly name: string; readonly ready: boolean }[];
  }[];
  readonly faults: readonly { readonly text: string }[];
};
type Log = {
  readonly totals: { readonly requests: number; readonly writes: number };
  readonly requests: readonly { readonly api: string; readonly method: string; readonly status: number | string }[];
};

describe('faults in a lab that runs', () => {
  const state = folderForAll();
  const env = { XDG_STATE_HOME: state };
  const run = (...args: readonly string[]): Promise<Ran> => ichorBeside(args, { env });
  const json = async (...args: readonly string[]): Promise<unknown> => {
    const { status, stdout, stderr } = await run(...args, '--output', 'json');
    expect({ args, status, ...(status === 0 ? {} : { stdout, stderr }) }).toEqual({ args, status: 0 });
    return JSON.parse(stdout) as unknown;
  };
  const lab = async (): Promise<Seen> => {
    const { labs } = (await json('lab', 'status')) as { readonly labs: readonly Seen[] };
    const [only] = labs;
    if (only === undefined) throw new Error('No lab runs.');
    return only;
  };
  const fault = async (...args: readonly string[]): Promise<string> =>
    ((await json('lab', 'fault', ...args)) as { readonly text: string }).text;
  let api: Api;
  let files: { readonly kubeconfig: string; readonly talosconfig: string; readonly platform: string };

  beforeAll(async () => {
    const started = (await json('lab', 'start', '--detach', '--cluster', '--name', 'faults', '--network', network)) as {
      readonly proxmox: { readonly endpoint: string; readonly token: string; readonly ca: string };
    } & typeof files;
    files = started;
    api = { ...started.proxmox, ca: readFileSync(started.proxmox.ca, 'utf8') };
  });
  afterEach(async () => void (await run('lab', 'fault', 'heal')));
  afterAll(() => run('lab', 'stop', '--all'));

  test('a name that is none says which one was meant, and what there is', async () => {
    const missed = async (...args: readonly string[]): Promise<string> =>
      (await run('lab', 'fault', ...args)).stderr.replaceAll(/\s+/g, ' ').trim();
    expect(await missed('host', 'pve22', 'dead')).toBe(
      'error: There is no host "pve22" in this lab. Did you mean "pve2"?',
    );
    expect(await missed('fill', 'ceph', '--free', '1GiB')).toBe(
      'error: There is no datastore "ceph" in this lab. There are local, local-lvm.',
    );
    expect(await missed('node', 'faults-cp-9', 'hang')).toMatch(/Did you mean "faults-cp-\d"\?/);
    expect(await missed('storm', '--share', '7')).toContain('Use a share such as 5%');
    expect(await missed('host', 'pve1', 'asleep')).toContain('dead, frozen, cut-off, up');
  });

  test('answers are lost as often as was said, and the request is done all the same', async () => {
    await fault('lose-answer', '--match', 'POST /pools', '--times', '1');
    await expect(call(api, 'POST', '/pools', { poolid: 'lost' })).rejects.toThrow();
    expect(JSON.stringify(await call(api, 'GET', '/pools'))).toContain('lost');
    await call(api, 'POST', '/pools', { poolid: 'found' });
    expect((await lab()).faults).toEqual([]);
  });

  test('refused with words, and counted', async () => {
    expect(await fault('refuse', '--status', '503', '--reason', 'not today', '--match', 'GET /nodes/**')).toBe(
      'GET /nodes/**: refused with 503, "not today"',
    );
    await expect(call(api, 'GET', '/nodes/pve1/status')).rejects.toThrow('503');
    expect((await lab()).faults.map(({ text }) => text)).toEqual([
      'GET /nodes/**: refused with 503, "not today" (struck once)',
    ]);
  });

  test('a datastore is full on one host', async () => {
    await fault('fill', 'local-lvm', '--free', '1GiB', '--host', 'pve1');
    const free = async (host: string): Promise<number> =>
      ((await call(api, 'GET', `/nodes/${host}/storage/local-lvm/status`)) as { readonly avail: number }).avail;
    expect(await free('pve1')).toBe(1024 ** 3);
    expect(await free('pve3')).toBeGreaterThan(100 * 1024 ** 3);
  });

  test('read-only: whoever looks notices nothing, and every write is refused on every API', async () => {
    await json('lab', 'requests', '--forget');
    await fault('read-only', 'on');
    expect((await run('hosts', '-f', files.platform)).status).toBe(0);
    expect(((await json('lab', 'requests')) as Log).totals).toMatchObject({ writes: 0 });
    await expect(call(api, 'POST', '/pools', { poolid: 'never' })).rejects.toThrow('403');
    const { status, stderr } = await run('drain', 'faults-general-0', '--kubeconfig', files.kubeconfig);
    expect([status, stderr]).toEqual([1, expect.stringContaining('the lab is read-only')]);
    const reboot = await run(
      'talos',
      'reboot',
      '--talosconfig',
      files.talosconfig,
      '-n',
      network.replace('0/24', '140'),
    );
    expect([reboot.status, reboot.stderr]).toEqual([1, expect.stringContaining('the lab is read-only')]);
    const { totals, requests } = (await json('lab', 'requests', '--writes')) as Log;
    expect(totals.writes).toBe(requests.length);
    expect([...new Set(requests.map(({ api: which, status: said }) => `${which} ${said}`))].toSorted()).toEqual([
      'kubernetes 403',
      'proxmox 403',
      'talos PERMISSION_DENIED',
    ]);
    await fault('read-only', 'off');
    await call(api, 'POST', '/pools', { poolid: 'now' });
  });

  test('a node without an agent, one that dies, and the virtual address that moves', async () => {
    const before = (await lab()).clusters[0];
    expect(before?.holder).toMatch(/^faults-cp-\d$/);
    const agent = (vmid: number): Promise<unknown> => call(api, 'GET', `/nodes/pve1/qemu/${vmid}/agent/get-host-name`);
    await agent(501);
    await fault('node', 'faults-general-0', 'no-agent');
    await expect(agent(501)).rejects.toThrow('QEMU guest agent is not running');
    await fault('node', before?.holder ?? '', 'dead');
    await eventually(
      lab,
      ({ clusters: [cluster], vms }) =>
        cluster?.holder !== undefined &&
        cluster.holder !== before?.holder &&
        vms.find(({ name }) => name === before?.holder)?.running === false,
    );
  });

  test('a lab far away answers later, whichever API is asked', async () => {
    expect(await fault('far', '--by', '40ms')).toBe('far away: every answer takes 40 ms longer');
    await call(api, 'GET', '/version');
    const talos = ['--talosconfig', files.talosconfig, '-n', network.replace('0/24', '140')];
    expect((await run('talos', 'version', ...talos)).status).toBe(0);
    expect((await lab()).faults[0]?.text).toMatch(/^far away: every answer takes 40 ms longer \(struck \d+ times\)$/);
    expect(await fault('far', '--by', '0ms')).toBe('the lab is near');
    expect((await lab()).faults).toEqual([]);
  });

  test('a storm meets a share of all requests', async () => {
    await fault('storm', '--share', '50%', '--seed', '7');
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => call(api, 'GET', '/version')));
    const failed = answers.filter(({ status }) => status === 'rejected').length;
    expect([failed > 0, failed < 20]).toEqual([true, true]);
    expect((await lab()).faults[0]?.text).toMatch(/^a storm: 50% of all requests, seed 7 \(struck \d+ times\)$/);
  });

  test('a host dies with its machines, is listed, and comes back', async () => {
    expect(await fault('host', 'pve2', 'dead')).toBe('host pve2 is dead');
    const dead = await lab();
    expect(dead.hosts.map(({ name, state: how }) => `${name} ${how}`)).toEqual(['pve1 up', 'pve2 dead', 'pve3 up']);
    expect(dead.vms.filter(({ host }) => host === 'pve2').map(({ name, running }) => `${name} ${running}`)).toEqual([
      'faults-cp-1 false',
      'faults-general-1 false',
    ]);
    expect(dead.faults.map(({ text }) => text)).toEqual(['host pve2 is dead']);
    await run('lab', 'fault', 'heal');
    const healed = await lab();
    expect([healed.hosts.map(({ state: how }) => how), healed.faults]).toEqual([['up', 'up', 'up'], []]);
  });
});

import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataCentre, type DataCentre } from '../../data-centre.ts';

/** How many API servers did not take connections at the same time, at most, while something happened. */
async function downTogether(hosts: readonly string[], happens: Promise<unknown>): Promise<number> {
  let most = 0;
  const over = new AbortController();
  const isDown = (host: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ host, port: 6443 });
      socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
      socket.on('connect', () => socket.destroy());
    });
  const end = happens.finally(() => over.abort());
  while (!over.signal.aborted) {
    most = Math.max(most, (await Promise.all(hosts.map(isDown))).filter(Boolean).length);
    await setTimeout(10);
  }
  await end;
  return most;
}

/** A cluster that is changed by editing its file. */
describe('by editing the file', () => {
  let here: DataCentre;
  beforeAll(async () => {
    here = await dataCentre();
    here.edit([/( +)general: (\{ replicas: )3/, '$1general: $22']);
    const { status, stderr } = await here.up();
    expect([status, stderr]).toEqual([0, '']);
  });
  afterAll(() => here[Symbol.asyncDispose]());

  const identities = (): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      here.lab.proxmox
        .vms()
        .map(({ vmid, host, config }): readonly [string, unknown] => [
          config['name'] ?? '',
          { vmid, host, net0: config['net0'], smbios1: config['smbios1'] },
        ]),
    );
  /** Runs up, and sees that whoever stays keeps everything that makes it itself. */
  const changed = async (): Promise<string> => {
    const before = identities();
    const { status, stdout, stderr } = await here.up();
    expect({ status, stderr, stdout }).toMatchObject({ status: 0 });
    const after = identities();
    const kept = Object.keys(before).filter((name) => name in after);
    expect(kept.map((name) => after[name])).toEqual(kept.map((name) => before[name]));
    const again = await here.up();
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
    return stdout;
  };
  const ready = (...names: readonly string[]): void =>
    expect(here.nodes()).toEqual(Object.fromEntries(names.map((name) => [name, true])));

  test('a worker comes', async () => {
    here.edit([/general: \{ replicas: 2/, 'general: { replicas: 3']);
    await changed();
    ready('lab-cp-0', 'lab-cp-1', 'lab-cp-2', 'lab-general-0', 'lab-general-1', 'lab-general-2');
  });

  test('a worker goes, emptied first', async () => {
    here.edit([/general: \{ replicas: 3/, 'general: { replicas: 1']);
    const said = await changed();
    expect(said).toMatch(/drain/);
    ready('lab-cp-0', 'lab-cp-1', 'lab-cp-2', 'lab-general-0');
  });

  test('a pool comes, and one in the middle goes: nobody else is touched', async () => {
    const base = here.address(0).replace(/0$/, '');
    here.edit([
      /( +)general: \{[^\n]+\n/,
      `$1alpha: { replicas: 1, cpu: 1, memory: 2GiB, disk: 20GiB, addresses: ${base}170-${base}172 }\n$&$1omega: { replicas: 1, cpu: 1, memory: 2GiB, disk: 20GiB, addresses: ${base}173-${base}175 }\n`,
    ]);
    await changed();
    ready('lab-alpha-0', 'lab-cp-0', 'lab-cp-1', 'lab-cp-2', 'lab-general-0', 'lab-omega-0');
    here.edit([/ +general: \{[^\n]+\n/, '']);
    await changed();
    ready('lab-alpha-0', 'lab-cp-0', 'lab-cp-1', 'lab-cp-2', 'lab-omega-0');
  });

  test('a machine becomes larger, one at a time', async () => {
    here.edit([/alpha: \{ replicas: 1, cpu: 1/, 'alpha: { replicas: 1, cpu: 2']);
    await changed();
    const alpha = here.lab.proxmox.vms().find(({ config }) => config['name'] === 'lab-alpha-0');
    expect([alpha?.running, alpha?.config['cores']]).toEqual([true, '2']);
    ready('lab-alpha-0', 'lab-cp-0', 'lab-cp-1', 'lab-cp-2', 'lab-omega-0');
  });

  test('a label and a sysctl reach every node', async () => {
    here.edit([/( +)cni: /, '$1sysctls: { vm.max_map_count: "262144" }\n$&']);
    await changed();
    ready('lab-alpha-0', 'lab-cp-0', 'lab-cp-1', 'lab-cp-2', 'lab-omega-0');
  });

  test('API servers that are configured otherwise restart one after the other', async () => {
    here.edit([/( +)cni: /, '$1patches: [{ cluster: { apiServer: { extraArgs: { v: "3" } } } }]\n$&']);
    const most = await downTogether([131, 132, 133].map(here.address), changed());
    expect(most).toBe(1);
    ready('lab-alpha-0', 'lab-cp-0', 'lab-cp-1', 'lab-cp-2', 'lab-omega-0');
  });

  test('control planes go one at a time, and etcd never loses its majority', async () => {
    here.edit([/controlPlane: \{ replicas: 3/, 'controlPlane: { replicas: 1']);
    await changed();
    ready('lab-alpha-0', 'lab-cp-0', 'lab-omega-0');
  });

  test('control planes come back, one at a time', async () => {
    here.edit([/controlPlane: \{ replicas: 1/, 'controlPlane: { replicas: 3']);
    await changed();
    ready('lab-alpha-0', 'lab-cp-0', 'lab-cp-1', 'lab-cp-2', 'lab-omega-0');
  });

  test('networks of pods and services stay what they are: nothing is changed before somebody decides', async () => {
    here.edit([/( +)nodes: \d/, '$1services: 10.98.0.0/16\n$&']);
    here.writes();
    const { status, stderr } = await here.up();
    expect([status, stderr, here.writes()]).toEqual([
      1,
      expect.stringContaining('cluster.network.serviceSubnets[0] is 10.96.0.0/12, not 10.98.0.0/16'),
      [],
    ]);
  });
});

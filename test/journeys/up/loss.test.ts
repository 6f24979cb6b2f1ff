import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataCentre, type DataCentre } from '../../data-centre.ts';
import { work } from '../../lab/proxmox-api.ts';

const apiOf = (here: DataCentre) => {
  const [endpoint = ''] = here.lab.proxmox.endpoints.values();
  return { endpoint, ca: here.lab.proxmox.ca, token: here.lab.proxmox.token('admin') };
};

const vmsNamed = (here: DataCentre, names: readonly string[]) =>
  here.lab.proxmox.vms().filter(({ config }) => names.includes(config['name'] ?? ''));

/** As somebody does in the web interface. */
async function stopByHand(here: DataCentre, ...names: readonly string[]): Promise<void> {
  for (const { vmid, host } of vmsNamed(here, names))
    await work(apiOf(here), 'POST', `/nodes/${host}/qemu/${vmid}/status/stop`);
}

async function deleteByHand(here: DataCentre, ...names: readonly string[]): Promise<void> {
  await stopByHand(here, ...names);
  for (const { vmid, host } of vmsNamed(here, names)) await work(apiOf(here), 'DELETE', `/nodes/${host}/qemu/${vmid}`);
}

describe.concurrent('what is gone is gone, and nobody makes it worse', () => {
  test('a cluster that lost all its control planes is not begun a second time unasked', async () => {
    await using here = await dataCentre({ small: true });
    expect((await here.up()).status).toBe(0);
    await deleteByHand(here, 'lab-cp-0');
    const asked = await here.up();
    expect([asked.status, asked.stderr]).toEqual([1, expect.stringContaining('there was a cluster')]);
    expect(asked.stderr).toMatch(/ichor talos etcd recover etcd\.db -n [\d.]+ && ichor up/);
    expect((await here.destroy()).status).toBe(0);
    expect((await here.up()).status).toBe(0);
    expect(here.nodes()).toEqual({ 'lab-cp-0': true, 'lab-general-0': true });
  });

  test('a cluster without power is not one that is gone: who is to leave it leaves when it is back, and drained', async () => {
    await using here = await dataCentre({ small: true });
    here.edit([/general: \{ replicas: 1/, 'general: { replicas: 2']);
    expect((await here.up()).status).toBe(0);
    await stopByHand(here, 'lab-cp-0');
    here.edit([/general: \{ replicas: 2/, 'general: { replicas: 1']);
    const { status, stdout } = await here.up();
    expect([status, stdout.match(/(?<=done {4})lab-(?:cp-0: start|general-1: (?:drain|cut the power))/g)]).toEqual([
      0,
      ['lab-cp-0: start', 'lab-general-1: drain', 'lab-general-1: cut the power'],
    ]);
    expect(here.nodes()).toEqual({ 'lab-cp-0': true, 'lab-general-0': true });
  });

  test('what was forgotten is remembered again by a run with nothing to do; then most control planes go', async () => {
    await using here = await dataCentre();
    expect((await here.up()).status).toBe(0);
    renameSync(join(here.folder, '.ichor'), join(here.folder, '.lost'));
    const { status, stdout } = await here.up();
    expect([status, stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
    await deleteByHand(here, 'lab-cp-1', 'lab-cp-2');
    here.writes();
    const asked = await here.up('--timeout', '5s');
    expect([asked.status, asked.stderr]).toEqual([
      1,
      expect.stringContaining('etcd has 3 members, and lab-cp-1, lab-cp-2 lost their data'),
    ]);
    expect(asked.stderr).toContain('ichor talos etcd recover');
    expect(here.writes()).toEqual([]);
  });

  test('destroy asks for more than a name, and stops before its first step where somebody protects a machine', async () => {
    await using here = await dataCentre({ small: true });
    expect((await here.up()).status).toBe(0);
    here.writes();
    const elsewhere = await here.destroy('--workspace', 'staging');
    renameSync(join(here.folder, 'talos'), join(here.folder, 'away'));
    const bare = await here.destroy();
    expect([elsewhere.status, bare.status]).toEqual([1, 1]);
    expect(bare.stderr).toContain('nothing here proves that this is the platform "lab"');
    expect(bare.stderr).toContain('ichor destroy --confirm lab');
    expect(here.writes()).toEqual([]);
    renameSync(join(here.folder, 'away'), join(here.folder, 'talos'));
    const [first] = here.lab.proxmox.vms();
    await work(apiOf(here), 'POST', `/nodes/${first!.host}/qemu/${first!.vmid}/config`, { protection: '1' });
    here.writes();
    const held = await here.destroy();
    expect([held.status, held.stderr]).toEqual([1, expect.stringContaining(`qm set ${first!.vmid} --protection 0`)]);
    expect(here.writes()).toEqual([]);
  });
});

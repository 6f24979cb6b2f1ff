import { describe, expect, test } from 'vitest';
import { dataCentre } from '../../data-centre.ts';
import { call } from '../../lab/proxmox-api.ts';

describe.concurrent('whose machine it is', () => {
  test('a VM whose notes were edited, and a pool with another name and the same addresses: asked, and nothing is made', async () => {
    await using here = await dataCentre({ small: true });
    expect((await here.up()).status).toBe(0);
    const before = { vms: here.vms(), nodes: here.nodes() };
    const { endpoints, ca } = here.lab.proxmox;
    const token = here.lab.proxmox.token('somebody');
    const [endpoint = ''] = endpoints.values();
    const worker = here.lab.proxmox.vms().find(({ config }) => config['name'] === 'lab-general-0');
    const path = `/nodes/${worker?.host}/qemu/${worker?.vmid}/config`;
    const notes = (description: string) => call({ endpoint, ca, token }, 'PUT', path, { description });
    await notes('my notes');
    const damaged = await here.up();
    expect([damaged.status, damaged.stderr]).toEqual([
      1,
      expect.stringContaining('lab-general-0 lost a part of its mark'),
    ]);
    expect(damaged.stderr).toContain(`ssh root@${worker?.host} qm set ${worker?.vmid} --description`);
    expect((await here.destroy()).status).toBe(1);
    expect({ vms: here.vms(), nodes: here.nodes() }).toEqual(before);
    await notes(worker?.config['description'] ?? '');
    here.writes();
    const whole = await here.up();
    expect([whole.status, whole.stderr, here.writes()]).toEqual([0, '', []]);
    here.edit([/ general:/, ' apps:']);
    const renamed = await here.up();
    expect([renamed.status, renamed.stderr]).toEqual([1, expect.stringContaining('lab-general-0 has its address')]);
    expect({ vms: here.vms(), nodes: here.nodes() }).toEqual(before);
  });

  test('a host that is dead and that the file does not use is in nobody’s way', async () => {
    await using here = await dataCentre({ small: true });
    here.edit([/hosts: \[pve1, pve2, pve3\]/, 'hosts: [pve1, pve3]'], [/ +pve2: [^\n]+\n/, '']);
    here.lab.proxmox.setHost('pve2', 'dead');
    const { status, stderr } = await here.up();
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expect(here.nodes()).toEqual({ 'lab-cp-0': true, 'lab-general-0': true });
  });
});

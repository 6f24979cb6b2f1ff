import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderForAll } from '../folder.ts';
import { labOf, type Lab } from './lab.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';
import { tofu, type Tofu } from './tofu.ts';

const hcl = (name: string): string => readFileSync(new URL(`tofu/${name}`, import.meta.url), 'utf8');
const vm = 'proxmox_virtual_environment_vm';

async function schematicWithAgent(factory: string): Promise<string> {
  const answer = await fetch(`${factory}/schematics`, {
    method: 'POST',
    body: 'customization:\n  systemExtensions:\n    officialExtensions:\n      - siderolabs/qemu-guest-agent\n',
  });
  return ((await answer.json()) as { id: string }).id;
}

describe('tofu with the bpg provider, on the twin', () => {
  const folder = folderForAll();
  let lab: Lab;
  let tf: Tofu;
  const environment = () => ({
    SSL_CERT_FILE: lab.proxmox.ca,
    PROXMOX_VE_API_TOKEN: lab.proxmox.token,
    TF_VAR_endpoint: lab.proxmox.endpoint,
  });

  beforeAll(async () => {
    await Promise.all([peerProgram('tofu'), peerProgram('terraform-provider-proxmox')]);
    lab = await labOf();
    writeFileSync(join(folder, 'own.iso'), Buffer.alloc(3 * 2048 + 17, 'ichor'));
    tf = await tofu(
      folder,
      { 'main.tf': hcl('main.tf') },
      {
        ...environment(),
        TF_VAR_factory: lab.factory,
        TF_VAR_schematic: await schematicWithAgent(lab.factory),
      },
    );
  }, buildTimeoutMs);
  afterAll(() => lab?.stop());

  const outputs = async (from = tf): Promise<Record<string, unknown>> => {
    const all = JSON.parse(await from.run('output', '-json')) as Record<string, { readonly value: unknown }>;
    return Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value]));
  };

  /** 0: nothing to do. 2: something. */
  const plan = (...args: readonly string[]) => tf.ask('plan', '-no-color', '-detailed-exitcode', ...args);

  const unchanged = async (...args: readonly string[]): Promise<void> => {
    const { code, output } = await plan(...args);
    expect(code, output).toBe(0);
  };

  test('creates VMs from an ISO and from a disk image, files and a pool', async () => {
    await tf.run('apply', '-no-color', '-auto-approve');
    expect(await outputs()).toEqual({
      nodes: ['pve1', 'pve2', 'pve3'],
      version: expect.stringMatching(/^9\./) as string,
      vms: ['from-disk', 'from-iso'],
      addresses: expect.arrayContaining(['127.0.64.250']) as string[],
    });
    const { data } = await lab.get('/nodes/pve1/qemu/901/config');
    expect(data).toMatchObject({ name: 'from-iso', memory: '2048', tags: 'talos;tofu', boot: 'order=scsi0;ide3' });
    expect((await lab.get('/nodes/pve2/qemu/902/status/current')).data).toMatchObject({ status: 'running' });
    expect((await lab.get('/pools?poolid=talos')).data).toMatchObject([{ members: [{ id: 'qemu/901' }] }]);
  });

  test('a second plan is empty', () => unchanged());

  test('updates what was edited, and then there is nothing to do again', async () => {
    const edited = ['-var', 'memory=4096', '-var', 'description=edited', '-var', 'disk=30', '-var', 'tags=["tofu"]'];
    const { code, output } = await plan(...edited);
    expect(code, output).toBe(2);
    expect(output).toContain('Plan: 0 to add, 3 to change, 0 to destroy.');
    await tf.run('apply', '-no-color', '-auto-approve', ...edited);
    const { data } = await lab.get('/nodes/pve1/qemu/901/config');
    expect(data).toMatchObject({ memory: '4096', description: 'edited', tags: 'tofu' });
    expect((data as { scsi0: string }).scsi0).toContain('size=30G');
    await unchanged(...edited);
    await tf.run('apply', '-no-color', '-auto-approve', ...edited, '-var', 'description=edited again');
  });

  test('sees what somebody else changed', async () => {
    await lab.put('/nodes/pve1/qemu/901/config', { cores: '3' });
    const { code, output } = await plan(
      '-var',
      'memory=4096',
      '-var',
      'disk=30',
      '-var',
      'tags=["tofu"]',
      '-var',
      'description=edited again',
    );
    expect(code, output).toBe(2);
    expect(output).toMatch(/cores\s+= 3 -> 2/);
    await lab.put('/nodes/pve1/qemu/901/config', { cores: '2' });
  });

  const current = [
    '-var',
    'memory=4096',
    '-var',
    'disk=30',
    '-var',
    'tags=["tofu"]',
    '-var',
    'description=edited again',
  ];

  test('updates a file whose source changed, and then there is nothing to do', async () => {
    const sizeOf = async (): Promise<unknown> => {
      const { data } = await lab.get('/nodes/pve1/storage/local/content?content=iso');
      return (data as { volid: string; size: number }[]).find(({ volid }) => volid.endsWith('/own.iso'))?.size;
    };
    expect(await sizeOf()).toBe(3 * 2048 + 17);
    writeFileSync(join(folder, 'own.iso'), Buffer.alloc(5 * 2048, 'another'));
    const { code, output } = await plan(...current);
    expect(code, output).toBe(2);
    expect(output).toContain('Plan: 1 to add, 0 to change, 1 to destroy.');
    await tf.run('apply', '-no-color', '-auto-approve', ...current);
    expect(await sizeOf()).toBe(5 * 2048);
    await unchanged(...current);
  });

  const forgotten = async (what: string, id: string): Promise<void> => {
    await tf.run('state', 'rm', what);
    await tf.run('import', '-no-color', ...current, what, id);
  };

  test('imports what is there into a state that has forgotten it; nothing is made anew', async () => {
    await forgotten('proxmox_virtual_environment_pool.talos', 'talos');
    await forgotten(`${vm}.from_iso`, 'pve1/901');
    await forgotten(`${vm}.from_disk`, 'pve2/902');
    const shown = JSON.parse(await tf.run('show', '-json')) as {
      values: { root_module: { resources: { address: string; values: Record<string, unknown> }[] } };
    };
    const imported = shown.values.root_module.resources.find(({ address }) => address === `${vm}.from_iso`);
    expect(imported?.values).toMatchObject({ name: 'from-iso', vm_id: 901, node_name: 'pve1', bios: 'ovmf' });
    const { output } = await plan(...current);
    // Some settings are only in the file, such as stop_on_destroy.
    expect(output).toMatch(/No changes\.|Plan: 0 to add, \d to change, 0 to destroy\./);
    await tf.run('apply', '-no-color', '-auto-approve', ...current);
    await unchanged(...current);
  });

  test('imports a file, which it then sends again: where that came from is only in its own file', async () => {
    await forgotten('proxmox_virtual_environment_file.own', 'pve1/local:iso/own.iso');
    const { output } = await plan(...current);
    expect(output).toContain('Plan: 1 to add, 0 to change, 1 to destroy.');
    await tf.run('apply', '-no-color', '-auto-approve', ...current);
    await unchanged(...current);
  });

  test('destroys everything', async () => {
    await tf.run('destroy', '-no-color', '-auto-approve', ...current);
    expect((await lab.get('/cluster/resources?type=vm')).data).toEqual([]);
    expect((await lab.get('/pools')).data).toEqual([]);
    const files = [...((await lab.get('/nodes/pve1/storage/local/content')).data as { volid: string }[])];
    expect(files.filter(({ volid }) => /talos-v1\.13\.9\.iso|own\.iso/.test(volid))).toEqual([]);
  });

  test('users, groups, roles, rights and tokens; resolver, hosts and time zone of a host', async () => {
    const access = await tofu(join(folder, 'access'), { 'access.tf': hcl('access.tf') }, environment());
    await access.run('apply', '-no-color', '-auto-approve');
    expect(await outputs(access)).toEqual({
      groups: ['ops'],
      members: ['anna@pve'],
      users: ['anna@pve', 'ichor@pve', 'root@pam'],
      looks: true,
      servers: ['10.0.0.53', '10.0.1.53'],
    });
    const settled = async (...args: readonly string[]): Promise<void> => {
      const { code, output } = await access.ask('plan', '-no-color', '-detailed-exitcode', ...args);
      expect(code, output).toBe(0);
    };
    await settled();
    const edited = ['-var', 'comment=edited', '-var', 'zone=Asia/Tokyo'];
    await access.run('apply', '-no-color', '-auto-approve', ...edited);
    expect((await lab.get('/access/groups/ops')).data).toEqual({ members: ['anna@pve'], comment: 'edited' });
    expect((await lab.get('/nodes/pve2/time')).data).toMatchObject({ timezone: 'Asia/Tokyo' });
    await settled(...edited);
    await access.run('destroy', '-no-color', '-auto-approve', ...edited);
    expect((await lab.get('/access/groups')).data).toEqual([]);
  });
});

import { readFileSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ichorBeside } from '../cli.ts';
import { folderForAll } from '../folder.ts';
import { eventually } from '../lab/asking.ts';
import { call, work, type Api } from '../lab/proxmox-api.ts';
import { hiddenIn, leaks } from '../leaks.ts';

const base = `127.${120 + (process.pid % 40)}.${Math.floor(process.pid / 40) % 250}`;

/** As somebody else would have written it: names, sizes, a label and a setting that ichor would not have chosen. */
const theirs = `apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: legacy }
spec:
  machines: { existing: { machines: { cp-0: { address: ${base}.150 }, general-0: { address: ${base}.151 } } } }
  cluster:
    name: theirs
    talos: { version: v1.13.9 }
    cni: { flannel: {} }
    controlPlane: { replicas: 1 }
    workers: { general: { replicas: 1, labels: { tier: gold } } }
    nodes: { cp-0: { hostname: alpha }, general-0: { hostname: beta } }
    patches: [{ machine: { sysctls: { net.core.somaxconn: "1024" } } }]
`;

describe('a cluster that others built', () => {
  const cwd = folderForAll();
  const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, 'state') };
  const [old, here] = [join(cwd, 'old'), join(cwd, 'here')];
  const ok = async (folder: string, ...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await ichorBeside(args, { cwd: folder, env });
    expect({ args, status, ...(status === 0 ? {} : { stdout, stderr }) }).toEqual({ args, status: 0 });
    return stdout;
  };
  let api: Api;
  let access: readonly string[];

  beforeAll(async () => {
    for (const folder of [old, here]) mkdirSync(folder);
    const lab = JSON.parse(
      await ok(cwd, 'lab', 'start', '--detach', '--speed', '50', '--network', `${base}.0/24`, '--output', 'json'),
    ) as {
      readonly proxmox: { readonly endpoint: string; readonly token: string; readonly ca: string };
      readonly factory: string;
      readonly dir: string;
    };
    api = { ...lab.proxmox, ca: readFileSync(lab.proxmox.ca, 'utf8') };
    access = ['--proxmox', lab.proxmox.endpoint, '--token', join(lab.dir, 'token'), '--ca', lab.proxmox.ca];
    const made = await fetch(`${lab.factory}/schematics`, {
      method: 'POST',
      body: 'customization: { systemExtensions: { officialExtensions: [siderolabs/qemu-guest-agent] } }',
    });
    const { id } = (await made.json()) as { readonly id: string };
    await work(api, 'POST', '/nodes/pve1/storage/local/download-url', {
      url: `${lab.factory}/image/${id}/v1.13.9/nocloud-amd64.qcow2`,
      content: 'import',
      filename: 'talos.qcow2',
    });
    for (const [index, name] of ['alpha', 'beta'].entries()) {
      await work(api, 'POST', '/nodes/pve1/qemu', {
        vmid: String(9001 + index),
        name,
        memory: '3072',
        cores: '2',
        agent: '1',
        tags: 'tofu',
        virtio0: 'local-lvm:0,import-from=local:import/talos.qcow2',
        ide0: 'local-lvm:cloudinit',
        ipconfig0: `ip=${base}.${150 + index}/25,gw=${base}.129`,
        net0: `virtio=BC:24:11:00:90:0${index},bridge=vmbr0`,
        boot: 'order=virtio0',
      });
      await work(api, 'PUT', `/nodes/pve1/qemu/${9001 + index}/resize`, { disk: 'virtio0', size: '20G' });
      await work(api, 'POST', `/nodes/pve1/qemu/${9001 + index}/status/start`);
    }
    writeFileSync(join(old, 'platform.yaml'), theirs);
    await ok(old, 'talos', 'gen');
    await eventually(
      () => ichorBeside(['talos', 'apply', '--insecure'], { cwd: old, env }),
      ({ status }) => status === 0,
    );
    await eventually(
      () => ichorBeside(['talos', 'bootstrap', '-n', `${base}.150`], { cwd: old, env }),
      ({ status }) => status === 0,
    );
    await ok(old, 'talos', 'health', '--timeout', '1m');
  }, 120_000);
  afterAll(() => ichorBeside(['lab', 'stop', '--all'], { env }));

  test('is read into a file that says who each machine is, and secrets that only their owner reads', async () => {
    const said = await ok(here, 'import', '--running', '--talosconfig', join(old, 'talos/talosconfig'), ...access);
    expect(said).toContain('written: platform.yaml, talos/secrets.yaml (2 machines)');
    const file = readFileSync(join(here, 'platform.yaml'), 'utf8');
    expect(file).toContain('metadata: { name: theirs }');
    expect(file).toMatch(/cp-0:\n\s+vmid: 9001\n\s+mac: BC:24:11:00:90:00\n\s+uuid: [0-9a-f-]{36}\n/);
    expect(file).toContain('net.core.somaxconn: "1024"');
    const secrets = readFileSync(join(here, 'talos/secrets.yaml'), 'utf8');
    expect(secrets).toBe(readFileSync(join(old, 'talos/secrets.yaml'), 'utf8'));
    expect(statSync(join(here, 'talos/secrets.yaml')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(here, 'talos/.gitignore'), 'utf8')).toBe('*\n');
    expect(leaks(file + said, hiddenIn(secrets))).toEqual([]);
  });

  test('has nothing left to do', async () => {
    expect(await ok(here, 'plan')).toContain('Nothing to do: theirs is as the file says.');
    expect(await ok(here, 'up', '--yes')).toContain('Nothing to do');
    const { tags } = (await call(api, 'GET', '/nodes/pve1/qemu/9001/config')) as { readonly tags: string };
    expect(tags).toBe('tofu');
  });

  test('is managed from then on: a label reaches the node', async () => {
    const text = readFileSync(join(here, 'platform.yaml'), 'utf8');
    writeFileSync(join(here, 'platform.yaml'), text.replace('tier: gold', 'tier: silver'));
    expect(await ok(here, 'up', '--yes')).toContain('is as the file says');
    const config = await ok(
      old,
      'talos',
      'get',
      'machineconfig',
      '-n',
      `${base}.151`,
      '--output',
      'yaml',
      '--show-secrets',
    );
    expect(config).toContain('silver');
    expect(await ok(here, 'up', '--yes')).toContain('Nothing to do');
  });

  test('is not destroyed before its owner has handed the VMs over', async () => {
    const { status, stdout, stderr } = await ichorBeside(['destroy', '--yes'], { cwd: here, env });
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('does not carry ichor’s mark; nothing was done to it.');
    expect(stdout + stderr).toMatch(/ssh root@pve1 qm set 900[12] --tags /);
    for (const vmid of [9001, 9002])
      expect(await call(api, 'GET', `/nodes/pve1/qemu/${vmid}/status/current`)).toMatchObject({ status: 'running' });
  });

  test('secrets that are there are never written over', async () => {
    const again = ['import', '--running', '--force', '--talosconfig', join(old, 'talos/talosconfig')];
    const { status, stderr } = await ichorBeside(again, { cwd: here, env });
    expect(status).toBe(1);
    expect(stderr).toContain('"talos/secrets.yaml" is already there, and secrets are never written over.');
  });
});

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { aCluster } from '../../../test/proxmox/cluster.ts';
import { Someone } from '../../../test/proxmox/someone.ts';
import type { Problem } from '../../model/problem.ts';

const signal = AbortSignal.timeout(60_000);
const mark = { platform: 'prod', name: 'prod-cp-0', uuid: '11111111-2222-4333-8444-555555555555' };
const adopted = [{ mark, vmid: 110 }];
const foreign = {
  vmid: 110,
  name: 'k8s-master',
  cores: 4,
  memory: 8192,
  virtio0: 'local-lvm:20',
  net0: 'virtio=BC:24:11:00:00:10,bridge=vmbr0',
  smbios1: `uuid=${mark.uuid.toUpperCase()}`,
  tags: 'tofu',
  description: "the team's first\n$HOME is not `here`",
};

async function withForeignVm() {
  const cluster = await aCluster({ hosts: 1 }, { adopted });
  const someone = new Someone(cluster.lab, cluster.clock);
  await someone.does('POST', '/nodes/pve1/qemu', foreign);
  return { cluster, someone };
}

test('a VM that the file names by VMID and UUID is looked at as the machine that the file says', async () => {
  const { cluster } = await withForeignVm();
  await using _ = cluster;
  const { machines, inventory } = await cluster.provider.reader.survey(signal);
  expect(machines).toMatchObject([
    {
      kind: 'known',
      value: {
        mark,
        id: '110',
        host: 'pve1',
        cpu: 4,
        memoryMiB: 8192,
        macs: ['BC:24:11:00:00:10'],
        disks: [{ name: 'system', sizeGiB: 20, datastore: 'local-lvm' }],
      },
    },
  ]);
  expect(inventory.hosts[0]?.residents).toMatchObject([{ name: 'prod-cp-0', platform: 'prod', vmid: 110 }]);
  expect(await cluster.provider.reader.machines('prod', signal)).toEqual(machines);
});

test('the same VMID with another UUID is somebody else’s', async () => {
  const { cluster, someone } = await withForeignVm();
  await using _ = cluster;
  await someone.does('PUT', '/nodes/pve1/qemu/110/config', { smbios1: 'uuid=99999999-2222-4333-8444-555555555555' });
  expect(await cluster.provider.reader.machines('prod', signal)).toEqual([]);
});

test('it is neither stopped nor deleted before its owner has marked it, with the command that the refusal shows', async () => {
  const { cluster, someone } = await withForeignVm();
  await using _ = cluster;
  const { writer } = cluster.provider;
  const ref = { mark, id: '110', host: 'pve1' };
  const refused = (await writer.delete(ref, signal).catch((error: unknown) => error)) as Problem;
  expect(refused.message).toBe(
    'VM 110 on pve1 is prod-cp-0 by the file, but ichor did not make it and it does not carry ichor’s mark; nothing was done to it.',
  );
  await expect(writer.setPower(ref, 'off', signal)).rejects.toMatchObject({ code: 'proxmox-unmarked' });
  const command = refused.remedy?.split('\n').at(-1)?.trim() ?? '';
  expect(command).toMatch(/^ssh root@pve1 qm set 110 /);

  // What the shell on the host would be handed.
  const far = `ssh() { shift; bash -c "$*"; }\nqm() { printf '%s\\0' "$@"; }\nexport -f qm\n${command}`;
  const { stdout } = spawnSync('bash', ['-c', far], { encoding: 'utf8' });
  const [, , , tags = '', , description = ''] = stdout.split('\0');
  expect(tags).toBe('tofu;ichor;ichor-prod');
  expect(description.startsWith(`${foreign.description}\n\n`)).toBe(true);

  await someone.does('PUT', '/nodes/pve1/qemu/110/config', { tags, description });
  expect(await cluster.provider.reader.machines('prod', signal)).toMatchObject([{ kind: 'known', value: { mark } }]);
  await writer.delete(ref, signal);
  expect(cluster.lab.vms()).toEqual([]);
});

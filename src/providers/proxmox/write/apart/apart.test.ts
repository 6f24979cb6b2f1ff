import { expect, test } from 'vitest';
import { aCluster, aRequest } from '../../../../../test/proxmox/cluster.ts';
import { Someone } from '../../../../../test/proxmox/someone.ts';
import { told } from '../../../../../test/talos/told.ts';

const signal = AbortSignal.timeout(60_000);
const blank = { image: { kind: 'iso', host: 'pve1', volume: 'none' } } as const;

test('somebody’s VM that is in HA already is neither moved nor tied to ours', async () => {
  for (const version of ['8.4', '9.2'] as const) {
    await using cluster = await aCluster({ version });
    const someone = new Someone(cluster.lab, cluster.clock);
    const ours = await cluster.provider.writer.create(aRequest(401, blank), signal);
    await someone.does('POST', '/nodes/pve1/qemu', { vmid: 402, memory: 512 });
    await someone.does('POST', '/cluster/ha/resources', { sid: 'vm:402', state: 'stopped' });
    const recycled = { ...ours, id: '402', mark: aRequest(402).mark };
    const asked = cluster.provider.writer.keepApart('planes', [ours, recycled], signal);
    expect((await told(asked)).code).toBe('proxmox-foreign');
    const rows = (await someone.does('GET', '/cluster/ha/resources')) as readonly Readonly<Record<string, string>>[];
    expect(rows.find(({ sid }) => sid === 'vm:402')?.['group']).toBeUndefined();
    const list = version === '9.2' ? '/cluster/ha/rules' : '/cluster/ha/groups';
    expect(JSON.stringify(await someone.does('GET', list))).not.toContain('vm:402');
  }
});

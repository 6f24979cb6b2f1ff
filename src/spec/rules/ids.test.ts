import { expect, test } from 'vitest';
import { platformFile, said } from '../../../test/said.ts';

type Sections = Readonly<Record<string, string>>;

test.each<[what: string, wrong: Sections, says: readonly string[]]>([
  [
    'one id for two machines',
    {
      cluster:
        '{ controlPlane: { replicas: 3 }, nodes: { cp-0: { vmid: 410, mac: "bc:24:11:00:00:10", uuid: 6f1c2f8e-5a0f-5d5e-9c54-0f6a2f1f2a11 }, cp-1: { vmid: 410, mac: "BC:24:11:00:00:10", uuid: 6F1C2F8E-5a0f-5d5e-9c54-0f6a2f1f2a11 } } }',
    },
    [
      '6:159 same-vmid: "cp-1" and "cp-0" have one VMID, 410. | Give each its own.',
      '6:169 same-mac: "cp-1" and "cp-0" have one MAC address, BC:24:11:00:00:10. | Give each its own.',
      '6:196 same-uuid: "cp-1" and "cp-0" have one UUID, 6F1C2F8E-5a0f-5d5e-9c54-0f6a2f1f2a11. | Give each its own.',
    ],
  ],
  [
    'groups that share VMIDs',
    {
      cluster:
        '{ controlPlane: { vmids: 400-450 }, workers: { a: { vmids: 450-460 }, b: { vmids: 600-601, replicas: 3 } } }',
    },
    [
      '6:71 overlapping-ranges: The VMIDs of workers.a and controlPlane overlap. | Give each group its own.',
      '6:94 range-too-small: 3 machines need more than the 2 VMIDs of workers.b. | End it at 602 or later.',
    ],
  ],
  [
    'too few VMIDs on the platform',
    {
      machines:
        '{ proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1], vmids: { controlPlane: 401-402, workers: 402-403 } } }',
      cluster: '{ controlPlane: { replicas: 3 }, workers: { a: { replicas: 3 } } }',
    },
    [
      '5:95 overlapping-ranges: The VMIDs of control planes and workers overlap. | Use for example controlPlane: 401-499 and workers: 501-1499.',
      '5:118 range-too-small: 3 machines need more than the 2 VMIDs of control planes. | End it at 403 or later.',
      '5:136 range-too-small: 3 workers need more than the 2 VMIDs from 402 to 403. | Use for example 402-404.',
    ],
  ],
  [
    'VMIDs where there are none',
    {
      machines: '{ libvirt: { hosts: { kvm1: "qemu:///system", kvm2: "qemu:///system" } } }',
      cluster:
        '{ controlPlane: { vmids: 400-410 }, workers: { a: { vmids: 500-510 } }, nodes: { cp-0: { vmid: 400 } } }',
    },
    [
      '6:37 no-effect: VMIDs exist on Proxmox only. | Leave it out.',
      '6:71 no-effect: VMIDs exist on Proxmox only. | Leave it out.',
      '6:107 no-effect: VMIDs exist on Proxmox only. | Leave it out.',
    ],
  ],
])('%s', (_, wrong, says) => {
  expect(said(platformFile(wrong))).toEqual(says);
});

test.each<[notThis: string, right: Sections]>([
  [
    'one id for two machines',
    { cluster: '{ controlPlane: { replicas: 3 }, nodes: { cp-0: { vmid: 410 }, cp-1: { vmid: 411 } } }' },
  ],
  [
    'groups that share VMIDs',
    {
      cluster:
        '{ controlPlane: { vmids: 400-449 }, workers: { a: { vmids: 450-460 }, b: { vmids: 600-602, replicas: 3 } } }',
    },
  ],
  [
    'too few VMIDs on the platform',
    {
      machines:
        '{ proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1], vmids: { controlPlane: 401-403, workers: 501- } } }',
      cluster: '{ controlPlane: { replicas: 3 }, workers: { a: { replicas: 3 } } }',
    },
  ],
  [
    'VMIDs where there are none',
    { machines: '{ libvirt: { hosts: { kvm1: "qemu:///system", kvm2: "qemu:///system" } } }', cluster: '{}' },
  ],
])('nothing is said where there is not %s', (_, right) => {
  expect(said(platformFile(right))).toEqual([]);
});

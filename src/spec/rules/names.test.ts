import { expect, test } from 'vitest';
import { platformFile, said } from '../../../test/said.ts';

type Sections = Readonly<Record<string, string>>;

test.each<[what: string, wrong: Sections, says: readonly string[]]>([
  [
    'a placeholder that is none',
    { cluster: '{ names: { controlPlane: "{platform}-{role}-{index}" } }' },
    [
      '6:37 unknown-placeholder: {role} is not a placeholder. | Use {platform}, {pool}, {index} or {number}; {number:2} has two digits.',
    ],
  ],
  [
    'a brace that is not closed',
    { cluster: '{ names: { worker: "{platform-{index}" } }' },
    [
      '6:31 unknown-placeholder: {platform- is not a placeholder. | Use {platform}, {pool}, {index} or {number}; {number:2} has two digits.',
    ],
  ],
  [
    'a name without a number',
    { cluster: '{ controlPlane: { replicas: 3 }, names: { controlPlane: "{platform}-cp" } }' },
    ['6:68 same-names: Without {index} or {number} all these machines would have one name. | Put {index} in.'],
  ],
  [
    'workers of several pools without {pool}',
    { cluster: '{ workers: { a: {}, b: {} }, names: { worker: "{platform}-w{index}" } }' },
    ['6:58 same-names: With several pools a name without {pool} would change when another pool does. | Put {pool} in.'],
  ],
  [
    'a pool called cp',
    { cluster: '{ workers: { cp: {} }, names: { controlPlane: "m{index}" } }' },
    ['6:25 reserved-name: A pool cannot be called "cp": control planes are named so. | Call it for example "general".'],
  ],
  [
    'two machines of one name',
    { cluster: '{ workers: { a: {} }, names: { controlPlane: "{platform}-a-{index}" } }' },
    ['6:25 same-names: Two machines would be called "prod-a-0". | Change cluster.names, or the name of the pool.'],
  ],
  [
    'a name that DNS does not take',
    { cluster: '{ names: { controlPlane: "{platform}_cp_{index}" } }' },
    [
      '6:3 wrong-name: "prod_cp_0" cannot be the name of a machine. | Names have up to 63 lower-case letters, digits and dashes: shorten the platform’s or the pool’s name, or change cluster.names.',
    ],
  ],
  [
    'a name that is too long',
    { cluster: '{ workers: { pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp: {} } }' },
    [
      '6:25 wrong-name: "prod-pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp-0" cannot be the name of a machine. | Names have up to 63 lower-case letters, digits and dashes: shorten the platform’s or the pool’s name, or change cluster.names.',
    ],
  ],
  [
    'machines that are not there',
    {
      cluster:
        '{ workers: { general: {} }, nodes: { genral-0: { host: pve1 }, prod-cp-7: {}, elsewhere: {} }, placement: { pinned: { general-5: pve1 } } }',
    },
    [
      '6:49 unknown-machine: There is no machine "genral-0" in this platform. | Did you mean "general-0"?',
      '6:75 unknown-machine: There is no machine "prod-cp-7" in this platform. | The last of them is "prod-cp-0": ask for more replicas, or correct the number.',
      '6:90 unknown-machine: There is no machine "elsewhere" in this platform. | Machines here: prod-cp-0, prod-general-0.',
      '6:141 unknown-machine: There is no machine "general-5" in this platform. | The last of them is "general-0": ask for more replicas, or correct the number.',
    ],
  ],
  [
    'one machine named twice',
    { cluster: '{ nodes: { cp-0: { host: pve1 }, prod-cp-0: { vmid: 500 } } }' },
    ['6:45 same-machine: "prod-cp-0" and "cp-0" name the same machine. | Keep one of the two.'],
  ],
  [
    'two machines of one hostname',
    {
      cluster:
        '{ controlPlane: { replicas: 3 }, nodes: { cp-0: { hostname: kube }, cp-1: { hostname: kube }, cp-2: { hostname: prod-cp-1 } } }',
    },
    ['6:98 same-names: "prod-cp-1" and "prod-cp-0" would both be called "kube". | Give each its own hostname.'],
  ],
  [
    'a hostname that is another machine’s name',
    { cluster: '{ controlPlane: { replicas: 3 }, nodes: { cp-0: { hostname: prod-cp-1 } } }' },
    ['6:72 same-names: "prod-cp-0" and "prod-cp-1" would both be called "prod-cp-1". | Give each its own hostname.'],
  ],
])('%s', (_, wrong, says) => {
  expect(said(platformFile(wrong))).toEqual(says);
});

test.each<[notThis: string, right: Sections]>([
  [
    'a placeholder that is none',
    { cluster: '{ names: { controlPlane: "{platform}-master-{number:2}", worker: "{pool}-{index}" } }' },
  ],
  [
    'workers of several pools without {pool}',
    { cluster: '{ workers: { a: {} }, names: { worker: "{platform}-w{index}" } }' },
  ],
  ['a pool called cp', { cluster: '{ workers: { cpu: {} } }' }],
  [
    'machines that are not there',
    { cluster: '{ workers: { general: {} }, nodes: { general-0: { host: pve1 }, prod-cp-0: {} } }' },
  ],
  [
    'two machines of one hostname',
    {
      cluster:
        '{ controlPlane: { replicas: 3 }, nodes: { cp-0: { hostname: prod-cp-1 }, cp-1: { hostname: prod-cp-0 } } }',
    },
  ],
])('nothing is said where there is not %s', (_, right) => {
  expect(said(platformFile(right))).toEqual([]);
});

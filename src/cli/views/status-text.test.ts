import { expect, test } from 'vitest';
import { plain } from '../../../test/observe/plain.ts';
import type { MachineStatus, Status } from '../../engine/status.ts';
import { statusJson } from './status-json.ts';
import { statusText } from './status-text.ts';

const machine = (name: string, more: Partial<MachineStatus> = {}): MachineStatus => ({
  name,
  role: 'control-plane',
  wanted: true,
  host: 'pve1',
  power: 'on',
  address: '10.10.0.11',
  stage: 'running',
  talos: 'v1.13.9',
  etcd: 'member',
  node: 'ready',
  schedulable: true,
  kubernetes: 'v1.36.3',
  changes: 0,
  wrong: [],
  ...more,
});

const status: Status = {
  platform: 'prod',
  at: new Date('2026-11-16T12:00:00Z'),
  wanted: { talos: 'v1.13.9', kubernetes: 'v1.36.3' },
  provider: { product: 'Proxmox VE', version: '9.2.11' },
  endpoint: 'https://10.10.0.5:6443',
  vipHolder: 'prod-cp-0',
  machines: [
    machine('prod-cp-0', { changes: 2 }),
    machine('prod-cp-1', {
      host: undefined,
      power: 'unknown',
      stage: 'unknown',
      talos: undefined,
      node: 'not-ready',
      wrong: ['pve2 did not answer (it is offline): what it carries is not known'],
    }),
    machine('prod-general-0', {
      role: 'worker',
      etcd: undefined,
      schedulable: false,
      wrong: ['it takes no new pods (cordoned)'],
    }),
    machine('prod-old-0', { role: 'worker', etcd: undefined, wanted: false }),
  ],
  network: 'current',
  drift: { correct: 2, keep: 1, danger: 0 },
  steps: 5,
  asks: 0,
  doubts: 0,
  lastRun: {
    id: 'r1',
    intent: 'converge',
    who: 'mia',
    host: 'laptop',
    command: 'ichor up',
    began: '2026-11-16T11:00:00.000Z',
    ms: 52_000,
    outcome: 'converged',
    changed: 31,
    passes: 2,
    steps: [],
    failures: [],
  },
  wrong: ['pve2 does not answer: it is offline'],
  well: false,
};

test('what is not well stands out, and says why', () => {
  expect(statusText(status, plain)).toBe(`\
prod: something is not well, 2 of 3 nodes Ready.

   machine         host  power    address     talos            etcd    node             kubernetes
✓  prod-cp-0       pve1  on       10.10.0.11  running v1.13.9  member  Ready            v1.36.3     2 differences
✗  prod-cp-1       -     unknown  10.10.0.11  unknown          member  not Ready        v1.36.3
✗  prod-general-0  pve1  on       10.10.0.11  running v1.13.9  -       Ready, cordoned  v1.36.3
·  prod-old-0      pve1  on       10.10.0.11  running v1.13.9  -       Ready            v1.36.3     not in the file

wanted    Talos v1.13.9, Kubernetes v1.36.3
provider  Proxmox VE 9.2.11
endpoint  https://10.10.0.5:6443 (at prod-cp-0)
network   as the file says
to do     5 steps, 2 differences to correct, 1 difference that stays (ichor diff)
last run  up converged, 2026-11-16 11:00, by mia, 31 changes in 52 s

✗ pve2 does not answer: it is offline
✗ prod-cp-1: pve2 did not answer (it is offline): what it carries is not known
✗ prod-general-0: it takes no new pods (cordoned)
`);
});

test('in a narrow terminal columns go that say the same of all, and what was expected', () => {
  const well: Status = { ...status, machines: [machine('prod-cp-0'), machine('prod-cp-1')], wrong: [], well: true };
  const titles = (columns: number, shown = well): string | undefined =>
    statusText(shown, { ...plain, columns })
      .split('\n')
      .find((line) => line.includes('machine '));
  expect(titles(82)).toBe('   machine    host  power  address     talos            etcd    node   kubernetes');
  expect(titles(80)).toBe('   machine    host  power  address     talos            etcd    node');
  expect(titles(60)).toBe('   machine    host  address     talos            etcd    node');
  const old = {
    ...well,
    machines: [machine('prod-cp-0'), machine('prod-cp-1', { kubernetes: 'v1.35.0', power: 'off' })],
  };
  expect(titles(60, old)).toBe('   machine    host  power  address     talos            etcd    node   kubernetes');
});

test('programs get null for what is not known', () => {
  const json = statusJson(status) as { readonly machines: readonly Record<string, unknown>[] };
  expect(json.machines[1]).toMatchObject({ name: 'prod-cp-1', host: null, talos: null, power: 'unknown' });
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
});

import { expect, test } from 'vitest';
import { known } from '../model/seen.ts';
import type { WorldMachine } from '../model/world.ts';
import { worldNodes } from './kubernetes.ts';
import { membersOf } from './etcd.ts';
import { roleOf } from './machines.ts';

const machine = (name: string, address: string | undefined, hostname?: string): WorldMachine => ({
  name,
  role: 'control-plane',
  wanted: true,
  vm: undefined,
  address,
  talos: known(
    hostname === undefined
      ? undefined
      : { kind: 'ours', version: 'v1.13.9', stage: 'running', hostname, schematic: undefined, changes: [] },
  ),
});
const live = (name: string, address: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'node-role.kubernetes.io/control-plane': '' } },
  status: {
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    conditions: [{ type: 'Ready', status: 'True' }],
    nodeInfo: { kubeletVersion: 'v1.36.3' },
  },
  ...more,
});

test('a node is the machine that says its name, or has its address, or was given its name', () => {
  const of = {
    machines: [machine('cp-0', '10.0.0.1', 'ip-10-0-0-1'), machine('cp-1', '10.0.0.2'), machine('cp-2', undefined)],
    hostname: (name: string) => name,
  };
  const nodes = worldNodes(
    [
      live('ip-10-0-0-1', '10.9.9.9'),
      live('somebody', '10.0.0.2'),
      live('cp-2', '10.0.0.3'),
      live('guest', '10.0.0.9'),
    ],
    of,
  );
  expect(nodes.map(({ name, machine: whose }) => `${name} ${whose}`)).toEqual([
    'ip-10-0-0-1 cp-0',
    'somebody cp-1',
    'cp-2 cp-2',
    'guest undefined',
  ]);
  expect(nodes[0]).toEqual({
    name: 'ip-10-0-0-1',
    machine: 'cp-0',
    addresses: ['10.9.9.9'],
    controlPlane: true,
    ready: true,
    missing: [],
    schedulable: true,
    drained: false,
    version: 'v1.36.3',
  });
});

test('an address counts more than a name that a machine only should have', () => {
  const of = { machines: [machine('cp-0', '10.0.0.1'), machine('cp-1', '10.0.0.2')], hostname: (name: string) => name };
  expect(worldNodes([live('cp-0', '10.0.0.2')], of)[0]?.machine).toBe('cp-1');
});

test('a member is found by its peers’ address, also in six', () => {
  const of = { machines: [machine('cp-0', 'fd00::5')], hostname: () => undefined };
  const member = { id: '1', hostname: 'ip', peerUrls: ['https://[fd00::5]:2380'], clientUrls: [], learner: true };
  expect(membersOf([member], of)).toEqual([{ id: '1', hostname: 'ip', learner: true, machine: 'cp-0' }]);
});

test('the role of a machine that left the file is in its tags, or in its name', () => {
  const mark = (name: string) => ({ platform: 'prod', name, uuid: '' });
  expect(roleOf({ mark: mark('prod-general-0'), settings: { tags: 'control-plane;ichor' } })).toBe('control-plane');
  expect(roleOf({ mark: mark('prod-cp-0'), settings: { tags: 'ichor;worker' } })).toBe('worker');
  expect(roleOf({ mark: mark('prod-cp-0'), settings: {} })).toBe('control-plane');
  expect(roleOf({ mark: mark('prod-cpu-0'), settings: {} })).toBe('worker');
});

test('an address that two machines have tells of neither, and a name that two of them say of neither', () => {
  const of = {
    machines: [machine('general-0', '10.0.0.1', 'general-0'), machine('apps-0', '10.0.0.1')],
    hostname: (name: string) => name,
  };
  expect(worldNodes([live('general-0', '10.0.0.1')], of)[0]?.machine).toBe('general-0');
  expect(worldNodes([live('unheard', '10.0.0.1')], of)[0]?.machine).toBeUndefined();
  const both = [machine('general-0', '10.0.0.1', 'general-0'), machine('apps-0', '10.0.0.1', 'general-0')];
  expect(worldNodes([live('general-0', '10.0.0.1')], { ...of, machines: both })[0]?.machine).toBe('general-0');
});

import { describe, expect, test } from 'vitest';
import { duration } from './cells.ts';
import { columnsOf } from './columns.ts';

const now = new Date('2026-01-02T00:00:00Z');
const made = '2026-01-01T23:50:30Z';

const row = (group: string, resource: string, object: object, metadata: object = {}): readonly unknown[] =>
  columnsOf(group, resource).map(({ value }) =>
    value(
      {
        apiVersion: 'v1',
        kind: 'X',
        metadata: { name: 'x', creationTimestamp: made, ...metadata },
        ...object,
      },
      now,
    ),
  );

test.each([
  [-5, '<invalid>'],
  [-0.5, '0s'],
  [119, '119s'],
  [120, '2m'],
  [125, '2m5s'],
  [60 * 10, '10m'],
  [3600 * 3, '3h'],
  [3600 * 3 + 60, '3h1m'],
  [3600 * 47, '47h'],
  [3600 * 49, '2d1h'],
  [86_400 * 100, '100d'],
  [86_400 * (365 * 6 + 322), '6y322d'],
  [86_400 * 365 * 9, '9y'],
])('%d seconds are %s', (seconds, text) => {
  expect(duration(seconds * 1000)).toBe(text);
});

describe('what a pod does', () => {
  const spec = { containers: [{ name: 'a' }, { name: 'b' }] };
  const running = { ready: true, restartCount: 0, state: { running: {} } };
  const first3 = (status: object, metadata: object = {}, extra: object = {}): readonly unknown[] =>
    row('', 'pods', { spec: { ...spec, ...extra }, status }, metadata).slice(1, 4);

  test.each([
    ['nothing yet', { phase: 'Pending' }, ['0/2', 'Pending', '0']],
    ['run', { phase: 'Running', containerStatuses: [running, running] }, ['2/2', 'Running', '0']],
    [
      'crash',
      {
        phase: 'Running',
        containerStatuses: [
          {
            ready: false,
            restartCount: 4,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T23:58:00Z' } },
          },
          running,
        ],
      },
      ['1/2', 'CrashLoopBackOff', '4 (2m ago)'],
    ],
    [
      'end',
      {
        phase: 'Succeeded',
        containerStatuses: [{ restartCount: 0, state: { terminated: { reason: 'Completed', exitCode: 0 } } }],
      },
      ['0/2', 'Completed', '0'],
    ],
    [
      'fail without a reason',
      { phase: 'Failed', containerStatuses: [{ restartCount: 0, state: { terminated: { exitCode: 3 } } }] },
      ['0/2', 'ExitCode:3', '0'],
    ],
    ['be evicted', { phase: 'Failed', reason: 'Evicted' }, ['0/2', 'Evicted', '0']],
  ])('%s', (_, status, cells) => {
    expect(first3(status)).toEqual(cells);
  });

  test('initialize', () => {
    const init = { initContainers: [{ name: 'i' }, { name: 'j' }] };
    const status = (state: object): object => ({
      phase: 'Pending',
      initContainerStatuses: [{ name: 'i', restartCount: 0, state }],
    });
    expect(first3(status({ waiting: { reason: 'PodInitializing' } }), {}, init)).toEqual(['0/2', 'Init:0/2', '0']);
    expect(first3(status({ terminated: { exitCode: 1, reason: 'Error' } }), {}, init)).toEqual([
      '0/2',
      'Init:Error',
      '0',
    ]);
  });

  test('go', () => {
    const status = { phase: 'Running', containerStatuses: [running, running] };
    expect(first3(status, { deletionTimestamp: made })).toEqual(['2/2', 'Terminating', '0']);
  });
});

test.each([
  [
    'nodes',
    row(
      '',
      'nodes',
      {
        spec: { unschedulable: true },
        status: {
          conditions: [{ type: 'Ready', status: 'True' }],
          addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
          nodeInfo: {
            kubeletVersion: 'v1.36.3',
            osImage: 'Talos',
            kernelVersion: '6',
            containerRuntimeVersion: 'containerd://2',
          },
        },
      },
      { labels: { 'node-role.kubernetes.io/control-plane': '', 'node-role.kubernetes.io/a': '' } },
    ),
    [
      'x',
      'Ready,SchedulingDisabled',
      'a,control-plane',
      '9m30s',
      'v1.36.3',
      '10.0.0.1',
      '<none>',
      'Talos',
      '6',
      'containerd://2',
    ],
  ],
  [
    'services',
    row('', 'services', {
      spec: {
        type: 'LoadBalancer',
        clusterIP: '10.96.0.9',
        clusterIPs: ['10.96.0.9'],
        ports: [{ port: 80, nodePort: 30_983, protocol: 'TCP' }],
      },
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    }),
    ['x', 'LoadBalancer', '10.96.0.9', '1.2.3.4', '80:30983/TCP', '9m30s', '<none>'],
  ],
  [
    'deployments',
    row('apps', 'deployments', {
      spec: {
        replicas: 2,
        selector: { matchLabels: { b: '2', a: '1' } },
        template: { spec: { containers: [{ name: 'web', image: 'nginx' }] } },
      },
      status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
    }),
    ['x', '1/2', 2, 1, '9m30s', 'web', 'nginx', 'a=1,b=2'],
  ],
  [
    'jobs',
    row('batch', 'jobs', {
      spec: { completions: 1 },
      status: {
        succeeded: 1,
        startTime: made,
        completionTime: '2026-01-01T23:50:40Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    }),
    ['x', 'Complete', '1/1', '10s', '9m30s', '', '', '<none>'],
  ],
  [
    'events',
    row('', 'events', {
      involvedObject: { kind: 'Pod', name: 'p' },
      reason: 'R',
      message: 'M\n',
      type: 'Normal',
      lastTimestamp: made,
      source: { component: 'c', host: 'h' },
    }),
    ['9m30s', 'Normal', 'R', 'pod/p', '', 'c, h', 'M', '<unknown>', 1, 'x'],
  ],
  ['of what nobody has columns for', row('x.y', 'zs', {}), ['x', made]],
])('a row of %s', (_, cells, expected) => {
  expect(cells).toEqual(expected);
});

import { expect, test } from 'vitest';
import { fakeNode, gathered, namedNodes, opens, patience, probes, sequence } from '../../test/fake-talos.ts';
import type {
  EtcdMember,
  MachineStatus,
  Standing,
  TalosNode,
  TalosVersion,
  UpgradeProgress,
} from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import { live, rebooting, resetting, rollingBack, shuttingDown, upgrading, type LifeEvent } from './talos-life.ts';

const never = new AbortController().signal;
const down = new Problem('unreachable', 'Connection refused.', { recovery: 'wait' });
const version = (tag: string): TalosVersion => ({ tag, sha: '', arch: 'amd64', platform: 'metal', mode: 'metal' });
const status = (stage: MachineStatus['stage']): MachineStatus => ({ stage, ready: false, unmet: [] });
const member = (id: string, learner = false): EtcdMember => ({
  id,
  hostname: id,
  peerUrls: [],
  clientUrls: [],
  learner,
});
const done = (): Promise<void> => Promise.resolve();

const tools = (node: TalosNode, ...standings: readonly Standing[]) => ({
  open: opens({ a: node, b: node }),
  probe: probes(...standings),
  patience: patience(),
});

const outline = (events: readonly LifeEvent[]): readonly string[] =>
  events.map((event) => {
    switch (event.kind) {
      case 'waiting':
        return `${event.node} waits ${event.sinceMs} ms for ${event.for}`;
      case 'asked':
        return `${event.node} asked for ${event.for}`;
      case 'progress':
        return `${event.node} ${event.progress.kind}`;
      case 'done':
        return `${event.node} ${event.what}`;
    }
  });

test('a reboot is over when the node has booted again and its boot is done', async () => {
  const asked: string[] = [];
  const node = fakeNode(
    {
      bootId: sequence('one', 'one', down, 'two'),
      machineStatus: sequence(status('booting'), status('running')),
      reboot: done,
    },
    asked,
  );
  const events = await gathered(live(namedNodes('a'), rebooting('default', true), tools(node), never));
  expect(outline(events)).toEqual([
    'a asked for a reboot',
    'a waits 0 ms for the node to boot again',
    'a waits 1000 ms for the node to boot again',
    'a waits 0 ms for its boot to finish',
    'a rebooted',
  ]);
  expect(asked).toEqual(['bootId', 'reboot', 'bootId', 'bootId', 'bootId', 'machineStatus', 'machineStatus']);
});

test('nodes go one after the other, and no further than the first that fails', async () => {
  const refused = new Problem('refused', 'Not now.');
  const asked: string[] = [];
  const node = fakeNode({ bootId: sequence('one'), reboot: () => Promise.reject(refused) }, asked);
  await expect(gathered(live(namedNodes('a', 'b'), rebooting('default', true), tools(node), never))).rejects.toBe(
    refused,
  );
  expect(asked).toEqual(['bootId', 'reboot']);
});

test('who does not wait is told that it was asked for', async () => {
  const node = fakeNode({ shutdown: done });
  expect(outline(await gathered(live(namedNodes('a'), shuttingDown(false, false), tools(node), never)))).toEqual([
    'a asked for a shutdown',
  ]);
});

test('a shutdown is over when nobody answers', async () => {
  const node = fakeNode({ shutdown: done });
  const given = tools(node, { kind: 'configured' }, { kind: 'absent', because: 'refused' });
  expect(outline(await gathered(live(namedNodes('a'), shuttingDown(false, true), given, never)))).toEqual([
    'a asked for a shutdown',
    'a waits 0 ms for the node to be off',
    'a shut down',
  ]);
});

test.each<[what: string, request: Parameters<typeof resetting>[0], awaited: string]>([
  ['everything', { graceful: true, reboot: false }, 'the node to be off'],
  ['everything, and boot', { graceful: true, reboot: true }, 'maintenance mode'],
  ['the configuration too', { graceful: true, reboot: true, partitions: ['STATE', 'EPHEMERAL'] }, 'maintenance mode'],
  ['all but the configuration', { graceful: false, reboot: true, partitions: ['EPHEMERAL'] }, 'the node to boot again'],
])('a reset of %s', async (_, request, awaited) => {
  const node = fakeNode({
    reset: done,
    bootId: sequence('one', 'one', 'two'),
    machineStatus: sequence(status('running')),
  });
  const given = tools(
    node,
    { kind: 'configured' },
    request.reboot ? { kind: 'maintenance', version: 'v1.13.9', fingerprint: 'x' } : { kind: 'absent', because: 'off' },
  );
  expect(outline(await gathered(live(namedNodes('a'), resetting(request, true), given, never)))).toEqual([
    'a asked for a reset',
    `a waits 0 ms for ${awaited}`,
    'a reset',
  ]);
});

test('a rollback says from where to where', async () => {
  const node = fakeNode({
    rollback: done,
    bootId: sequence('one', 'two'),
    version: sequence(version('v1.13.9'), version('v1.12.11')),
    machineStatus: sequence(status('running')),
  });
  expect(outline(await gathered(live(namedNodes('a'), rollingBack(true), tools(node), never)))).toEqual([
    'a asked for a rollback',
    'a rolled back from v1.13.9 to v1.12.11',
  ]);
});

const image = 'factory.talos.dev/metal-installer/abc:v1.13.9';
const upgrade = (
  progress: readonly UpgradeProgress[],
  after: string,
  members: readonly EtcdMember[],
  asked: string[],
) =>
  fakeNode(
    {
      bootId: sequence('one', 'two'),
      version: sequence(version('v1.12.11'), version(after)),
      services: sequence([{ id: 'etcd', state: 'Running', health: 'healthy', message: '', events: [] }]),
      etcdMembers: sequence(members),
      machineStatus: sequence(status('running')),
      reboot: done,
      async *upgrade() {
        for (const each of progress) yield await Promise.resolve(each);
      },
    },
    asked,
  );
const three = [member('a'), member('b'), member('c')];
const asWished = upgrading(() => Promise.resolve({ image }), true);

test('the new way installs, and then we reboot', async () => {
  const asked: string[] = [];
  const node = upgrade([{ kind: 'pulled', image }, { kind: 'installed' }], 'v1.13.9', three, asked);
  expect(outline(await gathered(live(namedNodes('a'), asWished, tools(node), never)))).toEqual([
    'a pulled',
    'a installed',
    'a asked for a reboot into the new version',
    'a upgraded from v1.12.11 to v1.13.9',
  ]);
  expect(asked).toContain('reboot');
});

test('the old way reboots by itself', async () => {
  const asked: string[] = [];
  const node = upgrade([{ kind: 'accepted', actor: 'x' }], 'v1.13.9', three, asked);
  expect(outline(await gathered(live(namedNodes('a'), asWished, tools(node), never))).at(-1)).toBe(
    'a upgraded from v1.12.11 to v1.13.9',
  );
  expect(asked).not.toContain('reboot');
});

test.each<[what: string, after: string, members: readonly EtcdMember[], says: string]>([
  [
    'two members',
    'v1.13.9',
    [member('a'), member('b')],
    'etcd has two members: while one of them restarts, the cluster stands still.',
  ],
  ['a member that joins', 'v1.13.9', [...three, member('d', true)], 'etcd member "d" is still joining.'],
  ['a version that did not start', 'v1.12.11', three, 'The node runs v1.12.11 after the upgrade, not v1.13.9.'],
])('an upgrade with %s is refused or found out', async (_, after, members, says) => {
  const node = upgrade([{ kind: 'installed' }], after, members, []);
  await expect(gathered(live(namedNodes('a'), asWished, tools(node), never))).rejects.toThrow(says);
});

test('who waits too long is told what was awaited, and why in vain', async () => {
  const node = fakeNode({ bootId: sequence('one', down), reboot: done });
  const failed = await gathered(live(namedNodes('a'), rebooting('default', true), tools(node), never)).then(
    () => undefined,
    (error: unknown) => error as Problem,
  );
  expect([failed?.code, failed?.message, failed?.remedy]).toEqual([
    'took-too-long',
    'Waited 60 s for the node to boot again, in vain.',
    'Connection refused.\n  Look at the node’s console or its events, or wait longer with --timeout.',
  ]);
});

test('what a person must do something about is not waited for', async () => {
  const expired = new Problem('certificate-expired', 'It ended.', { recovery: 'ask' });
  const node = fakeNode({ bootId: sequence('one', expired), reboot: done });
  await expect(gathered(live(namedNodes('a'), rebooting('default', true), tools(node), never))).rejects.toBe(expired);
});

import { expect } from 'vitest';
import type { Case } from '../case.ts';
import type { World } from '../world.ts';

type Event = {
  readonly id: string;
  readonly actorId?: string;
  readonly metadata?: unknown;
  readonly data: { readonly '@type'?: string; readonly [key: string]: string | undefined };
};

async function history({ call, target }: World, at: 'maintenance' | 'controlPlane'): Promise<readonly Event[]> {
  const { messages } = await call(at, 'Events', { tailEvents: -1 }, { waitMs: target.patienceMs });
  return messages as unknown as Event[];
}

const url = 'talos/runtime/machine.';

/** One line for a sequence, a phase or a task; everything else is left out. */
const steps = (events: readonly Event[]): readonly string[] =>
  events.flatMap(({ data }) => {
    const kind = data['@type']?.replace(url, '');
    if (kind === 'SequenceEvent') return [`sequence ${data['sequence']} ${data['action'] ?? 'NOOP'}`];
    if (kind === 'PhaseEvent') return [`phase ${data['phase']} ${data['action'] ?? 'START'}`];
    if (kind === 'TaskEvent') return [`task ${data['task']} ${data['action'] ?? 'START'}`];
    return [];
  });

/** A busy node may be booting before anybody could tell that nothing was known of it. */
const stagesTold = (events: readonly Event[]): readonly string[] =>
  events
    .filter(({ data }) => data['@type'] === `${url}MachineStatusEvent`)
    .map(({ data }) => data['stage'] ?? 'UNKNOWN')
    .filter((stage, index, all) => stage !== all[index - 1] && stage !== 'UNKNOWN');

const isSubsequence = (wanted: readonly string[], told: readonly string[]): readonly string[] => {
  let index = 0;
  for (const line of told) if (line === wanted[index]) index += 1;
  return wanted.slice(index);
};

const ordered = (name: string, stage: 'maintenance' | 'configured', wanted: readonly string[]): Case => ({
  stage,
  name: `events: ${name}`,
  run: async (world) => {
    const told = steps(await history(world, stage === 'maintenance' ? 'maintenance' : 'controlPlane'));
    expect({ missingFrom: isSubsequence(wanted, told) }).toEqual({ missingFrom: [] });
  },
});

const tailErrors: readonly (readonly [string, Record<string, string | number>, string])[] = [
  [
    'two ways to say how far back',
    { tailEvents: 3, tailSeconds: 3 },
    "WithTailDuration can't be specified at the same time with WithTailEvents or WithTailID",
  ],
  ['an id that is none', { tailId: 'nope' }, 'error parsing tail_id: xid: invalid ID'],
];

export const eventCases: readonly Case[] = [
  ordered('a start without a configuration ends in maintenance', 'maintenance', [
    'sequence initialize START',
    'phase machined START',
    'phase config START',
    'task loadConfig START',
    'task runningMaintenance START',
  ]),
  ordered('a configuration ends maintenance, and the boot begins', 'configured', [
    'task runningMaintenance START',
    'task runningMaintenance STOP',
    'task loadConfig STOP',
    'phase config STOP',
    'sequence initialize STOP',
    'sequence install START',
    'sequence install STOP',
    'sequence boot START',
    'phase memorySizeCheck START',
    'phase diskSizeCheck START',
    'phase env START',
    'phase dbus START',
    'phase sharedFilesystems START',
    'phase ephemeral START',
    'phase userSetup START',
    'phase startEverything START',
    'task startAllServices START',
  ]),
  {
    stage: 'maintenance',
    name: 'events: the stages of a start',
    run: async (world) => {
      expect(stagesTold(await history(world, 'maintenance'))).toEqual(['BOOTING', 'MAINTENANCE']);
    },
  },
  {
    stage: 'configured',
    name: 'events: the stages up to the wait for a bootstrap',
    run: async (world) => {
      expect(stagesTold(await history(world, 'controlPlane'))).toEqual(['BOOTING', 'MAINTENANCE', 'BOOTING']);
    },
  },
  {
    stage: 'bootstrapped',
    name: 'events: a bootstrap ends the boot, and the machine runs',
    run: async (world) => {
      await world.until(
        () => world.call('controlPlane', 'Events', { tailEvents: -1 }, { waitMs: world.target.patienceMs }),
        ({ messages }) => JSON.stringify(messages).includes('"stage":"RUNNING"'),
        120_000,
      );
      const events = await history(world, 'controlPlane');
      const wanted = ['task startAllServices STOP', 'phase startEverything STOP', 'sequence boot STOP'];
      expect({ missingFrom: isSubsequence(wanted, steps(events)) }).toEqual({ missingFrom: [] });
      expect(stagesTold(events)).toEqual(['BOOTING', 'MAINTENANCE', 'BOOTING', 'RUNNING']);
    },
  },
  {
    stage: 'bootstrapped',
    name: 'events: etcd says that its bootstrap was requested',
    run: async (world) => {
      const told = (await history(world, 'controlPlane'))
        .filter(({ data }) => data['@type'] === `${url}ServiceStateEvent` && data['service'] === 'etcd')
        .map(({ data }) => `${data['action']}: ${data['message']}`);
      expect({
        missingFrom: isSubsequence(['FINISHED: Bootstrap requested', 'STARTING: Starting service'], told),
      }).toEqual({
        missingFrom: [],
      });
    },
  },
  {
    stage: 'maintenance',
    name: 'events: the first is a greeting without a type, newer than the history that follows',
    run: async (world) => {
      const [hello, first] = await history(world, 'maintenance');
      expect(hello).toEqual({ id: expect.stringMatching(/^[0-9a-v]{20}$/) as string, data: {} });
      expect((first?.id ?? 'z') < (hello?.id ?? '')).toBe(true);
    },
  },
  {
    stage: 'maintenance',
    name: 'events: ids are in order, and none comes twice',
    run: async (world) => {
      const ids = (await history(world, 'maintenance')).slice(1).map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].toSorted());
    },
  },
  {
    stage: 'maintenance',
    name: 'events: types are of Talos’ own kind',
    run: async (world) => {
      const types = (await history(world, 'maintenance')).slice(1).map(({ data }) => data['@type'] ?? '');
      expect(types.filter((type) => !type.startsWith(url))).toEqual([]);
    },
  },
  {
    stage: 'maintenance',
    name: 'events: without a tail only the greeting',
    run: async ({ call, target }) => {
      const { messages } = await call('maintenance', 'Events', {}, { waitMs: target.patienceMs });
      expect(messages).toHaveLength(1);
    },
  },
  {
    stage: 'maintenance',
    name: 'events: a tail of three is three',
    run: async ({ call, target }) => {
      const { messages } = await call('maintenance', 'Events', { tailEvents: 3 }, { waitMs: target.patienceMs });
      expect(messages).toHaveLength(4);
    },
  },
  {
    stage: 'maintenance',
    name: 'events: after an id comes what was after it',
    run: async (world) => {
      const all = await history(world, 'maintenance');
      const third = all[3]?.id ?? '';
      const { messages } = await world.call(
        'maintenance',
        'Events',
        { tailId: third },
        { waitMs: world.target.patienceMs },
      );
      expect((messages as unknown as Event[]).slice(1).map(({ id }) => id)).toEqual(all.slice(4).map(({ id }) => id));
    },
  },
  {
    stage: 'maintenance',
    name: 'events: the actor asked for is in the greeting',
    run: async ({ call }) => {
      const { messages } = await call('maintenance', 'Events', { withActorId: 'somebody' }, { take: 1 });
      expect((messages[0] as unknown as Event).actorId).toBe('somebody');
    },
  },
  ...tailErrors.map(([name, request, message]): Case => ({
    stage: 'maintenance',
    name: `events: ${name} is refused after the greeting`,
    run: async ({ call }) => {
      const answer = await call('maintenance', 'Events', request);
      expect({ code: answer.code, message: answer.message, messages: answer.messages.length }).toEqual({
        code: 'UNKNOWN',
        message,
        messages: 1,
      });
    },
  })),
];

import assert from 'node:assert/strict';
import { Problem } from '../model/problem.ts';
import type { Memory } from '../model/world.ts';
import type { Holder, JournalEntry, Store } from './store.ts';

/** An empty place, and everybody who comes to it. */
export type StoreWorld = {
  /** The same place each time; another one for each workspace. */
  readonly open: (workspace?: string) => Store;
  /** The same place as somebody on another host sees it. */
  readonly elsewhere: () => Store;
  /** A process that runs as long as the test. */
  readonly living: (command?: string) => Promise<Holder>;
  /** A process of this host that has ended. */
  readonly gone: () => Promise<Holder>;
};

type Case = { readonly name: string; readonly run: (world: StoreWorld) => Promise<void> };

const memory: Memory = {
  platform: 'prod',
  bootstrap: { machine: 'prod-cp-0', chosenAt: '2026-11-17T10:00:00.000Z', members: ['prod-cp-0', 'prod-cp-1'] },
  configured: { 'prod-cp-0': { address: '10.10.0.11', role: 'control-plane' } },
  guarded: 'sha256:1',
};

const at = (second: number): string => new Date(Date.UTC(2026, 10, 17, 10, 0, second)).toISOString();
const intent = (step: string, second = 0): JournalEntry => ({
  at: at(second),
  kind: 'intent',
  step,
  attempt: 1,
  because: 'it is missing',
});

async function problemOf(action: () => Promise<unknown>): Promise<Problem> {
  const error = await action().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Problem) return error;
  throw error ?? new Error('It was not refused.');
}

/** Of many that try at once, those that got it. */
async function winners<T>(tries: readonly (() => Promise<T>)[], code: string): Promise<readonly T[]> {
  const ended = await Promise.allSettled(tries.map((each) => each()));
  return ended.flatMap((each) => {
    if (each.status === 'fulfilled') return [each.value];
    assert.equal((each.reason as Problem).code, code);
    return [];
  });
}

/** What every place promises that keeps state, whatever it is made of. */
export const conformance: readonly Case[] = [
  {
    name: 'an empty place remembers nothing, and nobody holds it',
    run: async ({ open }) => {
      const store = open();
      assert.deepEqual(await store.memory('prod'), {
        platform: 'prod',
        bootstrap: undefined,
        configured: {},
        guarded: undefined,
      });
      assert.equal(await store.secrets(), undefined);
      assert.equal(await store.artifact('kubeconfig'), undefined);
      assert.equal(await store.holder(), undefined);
      assert.equal(await store.unlock(), undefined);
      assert.deepEqual(await store.runs(), []);
    },
  },
  {
    name: 'what is remembered comes back as it was, and the last word counts',
    run: async ({ open }) => {
      await open().remember(memory);
      assert.deepEqual(await open().memory('prod'), memory);
      const later: Memory = { platform: 'prod', bootstrap: undefined, configured: {}, guarded: undefined };
      await open().remember(later);
      assert.deepEqual(await open().memory('prod'), later);
    },
  },
  {
    name: 'a place of another platform is refused, for reading and writing, with what to type',
    run: async ({ open }) => {
      await open().remember(memory);
      for (const action of [
        () => open().memory('staging'),
        () => open().remember({ ...memory, platform: 'staging' }),
      ]) {
        const { code, message, remedy } = await problemOf(action);
        assert.equal(code, 'other-platform');
        assert.match(message, /"prod".*"staging"/);
        assert.match(remedy, /ichor up --workspace staging$/);
      }
      assert.deepEqual(await open().memory('prod'), memory);
    },
  },
  {
    name: 'workspaces do not know each other',
    run: async ({ open, living }) => {
      await open().remember(memory);
      await open().makeSecrets('of default');
      await using _lock = await open().lock(await living());
      const other = open('staging');
      assert.equal((await other.memory('staging')).bootstrap, undefined);
      assert.equal(await other.secrets(), undefined);
      assert.equal(await other.holder(), undefined);
    },
  },
  {
    name: 'secrets are made once: others are refused, and those that are there stay',
    run: async ({ open }) => {
      await open().makeSecrets('first');
      assert.equal((await problemOf(() => open().makeSecrets('second'))).code, 'secrets-exist');
      assert.equal(await open().secrets(), 'first');
      await open().deleteSecrets();
      await open().deleteSecrets();
      await open().makeSecrets('third');
      assert.equal(await open().secrets(), 'third');
    },
  },
  {
    name: 'of many that make secrets at once, one does',
    run: async ({ open }) => {
      const tries = Array.from({ length: 8 }, (_, index) => async () => {
        await open().makeSecrets(`secrets ${index}`);
        return `secrets ${index}`;
      });
      const won = await winners(tries, 'secrets-exist');
      assert.deepEqual([await open().secrets()], won);
    },
  },
  {
    name: 'artifacts are written, written over and taken away; secrets are none of them',
    run: async ({ open }) => {
      const store = open();
      await store.writeArtifact('kubeconfig', 'one');
      await store.writeArtifact('nodes/prod-cp-0.yaml', 'node');
      await store.writeArtifact('kubeconfig', 'two');
      assert.equal(await open().artifact('kubeconfig'), 'two');
      assert.equal(await open().artifact('nodes/prod-cp-0.yaml'), 'node');
      await store.deleteArtifact('kubeconfig');
      await store.deleteArtifact('kubeconfig');
      assert.equal(await open().artifact('kubeconfig'), undefined);
      for (const path of ['secrets.yaml', '../secrets.yaml', '/etc/passwd', 'nodes/../secrets.yaml', ''])
        await assert.rejects(async () => store.writeArtifact(path, 'text'), /is no artifact/);
    },
  },
  {
    name: 'a lock that is held says who, since when, where, with what command, and how to break it',
    run: async ({ open, living }) => {
      const holder = await living('ichor up -f prod.yaml');
      await using _lock = await open().lock(holder);
      assert.deepEqual(await open().holder(), { holder, alive: 'yes' });
      const { code, message, remedy } = await problemOf(async () => open().lock(await living()));
      assert.equal(code, 'locked');
      for (const part of [holder.who, holder.host, holder.since, 'ichor up -f prod.yaml', String(holder.pid)])
        assert.ok(message.includes(part), `${part} in: ${message}`);
      assert.match(remedy, /still running[^]*\n {4}ichor unlock$/);
    },
  },
  {
    name: 'a lock that was given back is free, also when it is given back twice',
    run: async ({ open, living }) => {
      const lock = await open().lock(await living());
      await lock[Symbol.asyncDispose]();
      assert.equal(await open().holder(), undefined);
      await using _next = await open().lock(await living());
      await lock[Symbol.asyncDispose]();
      assert.notEqual(await open().holder(), undefined);
    },
  },
  {
    name: 'of many that take a free lock at once, one gets it',
    run: async ({ open, living }) => {
      const holder = await living();
      const won = await winners(
        Array.from({ length: 12 }, (_, index) => () => open().lock({ ...holder, run: `run-${index}` })),
        'locked',
      );
      assert.equal(won.length, 1);
    },
  },
  {
    name: 'a holder that is proved to be gone holds nothing',
    run: async ({ open, gone, living }) => {
      const before = await gone();
      await open().lock(before);
      assert.deepEqual(await open().holder(), { holder: before, alive: 'no' });
      const next = await living();
      await using _lock = await open().lock(next);
      assert.deepEqual(await open().holder(), { holder: next, alive: 'yes' });
    },
  },
  {
    name: 'a process that got the number of a holder that is gone is not the holder',
    run: async ({ open, living }) => {
      const holder = await living();
      await open().lock({ ...holder, started: 'before this one' });
      await using _lock = await open().lock(holder);
      assert.deepEqual((await open().holder())?.holder, holder);
    },
  },
  {
    name: 'of many that take the lock of somebody who is gone at once, one gets it',
    run: async ({ open, gone, living }) => {
      const [holder, before] = [await living(), await gone()];
      for (let round = 0; round < 10; round++) {
        await open().lock({ ...before, run: `gone-${round}` });
        const won = await winners(
          Array.from({ length: 12 }, (_, index) => async () => {
            const run = `run-${round}-${index}`;
            return { run, lock: await open().lock({ ...holder, run }) };
          }),
          'locked',
        );
        assert.equal(won.length, 1);
        assert.equal((await open().holder())?.holder.run, won[0]?.run);
        await won[0]?.lock[Symbol.asyncDispose]();
        assert.equal(await open().holder(), undefined);
      }
    },
  },
  {
    name: 'a holder on another host is never taken for gone',
    run: async ({ open, elsewhere, gone, living }) => {
      const holder = await gone();
      await open().lock(holder);
      assert.deepEqual(await elsewhere().holder(), { holder, alive: 'unknown' });
      const { code, remedy } = await problemOf(async () => elsewhere().lock(await living()));
      assert.equal(code, 'locked');
      assert.match(remedy, /cannot be seen from here[^]*\n {4}ichor unlock$/);
      assert.deepEqual(await elsewhere().unlock(), holder);
      await using _lock = await elsewhere().lock(await living());
    },
  },
  {
    name: 'whoever lost the lock to a person’s word does not free it for the next one',
    run: async ({ open, living }) => {
      const holder = await living();
      const lock = await open().lock(holder);
      assert.deepEqual(await open().unlock(), holder);
      await using _next = await open().lock({ ...holder, run: 'next' });
      await lock[Symbol.asyncDispose]();
      assert.equal((await open().holder())?.holder.run, 'next');
    },
  },
  {
    name: 'a journal keeps entries in their order, also those that come together',
    run: async ({ open }) => {
      const entries = Array.from({ length: 200 }, (_, index) => intent(`machine.create prod-${index}`));
      {
        await using journal = await open().begin('run-1');
        await Promise.all(entries.map((entry) => journal.write(entry)));
        await journal.write({ at: at(1), kind: 'ended', outcome: 'converged', changed: 200 });
      }
      assert.deepEqual(await open().runs(), [
        { id: 'run-1', entries: [...entries, { at: at(1), kind: 'ended', outcome: 'converged', changed: 200 }] },
      ]);
    },
  },
  {
    name: 'an entry is there for others as soon as its promise says so',
    run: async ({ open }) => {
      await using journal = await open().begin('run-1');
      await journal.write(intent('one'));
      assert.deepEqual((await open().runs())[0]?.entries, [intent('one')]);
    },
  },
  {
    name: 'runs come newest first, and those that wrote nothing are left out',
    run: async ({ open }) => {
      for (const [run, second] of [
        ['b', 2],
        ['c', 1],
        ['a', 3],
      ] as const) {
        await using journal = await open().begin(run);
        await journal.write(intent('one', second));
      }
      await using _nothing = await open().begin('d');
      assert.deepEqual(
        (await open().runs()).map(({ id }) => id),
        ['a', 'b', 'c'],
      );
    },
  },
];

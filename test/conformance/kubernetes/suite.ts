import { afterAll, beforeAll, describe, test } from 'vitest';
import { Caller } from './call.ts';
import type { Case } from './case.ts';
import { chapters } from './chapters.ts';
import { makeAuthority, type Authority } from './pki.ts';
import type { Target } from './target.ts';
import { freshName, worldOf, type World } from './world.ts';

export type Setting = {
  readonly name: string;
  /** Given whose certificates of clients are to be trusted, as PEM. */
  readonly start: (clients: string) => Promise<Target>;
  readonly startTimeoutMs: number;
  /** Cases that do not hold here yet; one that begins to hold fails until it is off this list. */
  readonly notYet?: readonly string[];
};

/** Runs every case of every chapter, and prints how many held. */
export function conformance({ name, start, startTimeoutMs, notYet = [] }: Setting): void {
  describe(`the Kubernetes API on ${name}`, () => {
    const all = chapters.flatMap(({ title, cases }) => cases.map((each) => `${title}: ${each.name}`));
    let target: Target | undefined;
    let caller: Caller;
    let clients: Authority;
    let held = 0;

    beforeAll(async () => {
      clients = await makeAuthority('clients');
      target = await start(clients.crt);
      caller = new Caller(target);
    }, startTimeoutMs);

    afterAll(async () => {
      caller?.[Symbol.dispose]();
      await target?.[Symbol.asyncDispose]();
      const missing = notYet.length === 0 ? '' : `, ${notYet.length} not yet`;
      process.stderr.write(`conformance: ${held} of ${all.length} held on ${name}${missing}\n`);
    }, 60_000);

    const world = (ns: string): World =>
      worldOf(caller, { clients, patienceMs: 0, forget: () => Promise.resolve(), ...target }, ns);
    const run = async (one: Case, prepare: () => Promise<void>): Promise<void> => {
      await prepare();
      using here = world(freshName('case'));
      await here.make('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: here.ns } });
      await one.run(here);
      held += 1;
    };

    test('every name on the list of what does not hold yet is that of a case, and no two cases have one name', () => {
      const unknown = notYet.filter((each) => !all.includes(each));
      const twice = all.filter((each, index) => all.indexOf(each) !== index);
      if (unknown.length + twice.length > 0) throw new Error([...unknown, ...twice].join('\n'));
    });

    for (const { title, before, cases } of chapters)
      describe(title, () => {
        const prepare = once(async () => {
          using here = world('default');
          await before?.(here);
        });
        for (const one of cases)
          if (notYet.includes(`${title}: ${one.name}`))
            test(`${one.name} (not yet)`, async () => {
              const failed = await run(one, prepare).then(
                () => false,
                () => true,
              );
              if (!failed) throw new Error('It holds: take it off the list of what does not hold yet.');
            });
          else test(one.name, () => run(one, prepare));
      });
  });
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}

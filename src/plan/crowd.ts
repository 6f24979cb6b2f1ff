import { overflows, takenBy } from './crowded.ts';
import { idOf } from './graph.ts';
import { wantedOf, type Situation, type Standing } from './situation.ts';

/** Workers that must go before their hosts have room for those that come; the proof counts their room as free. */
export function inTheWay(situation: Situation): ReadonlySet<Standing> {
  const coming = new Set(
    wantedOf(situation).flatMap(({ phase, ref }) => (phase === 'absent' && ref ? [ref.host] : [])),
  );
  const leaving = situation.leaving.filter(({ role, observed }) => role === 'worker' && observed !== undefined);
  if (coming.size === 0 || leaving.length === 0) return new Set();
  const crowded = new Set(
    situation.proof.hosts
      .filter(
        ({ name, gauges }) =>
          coming.has(name) && gauges.some((gauge) => overflows(gauge, takenBy(situation.leaving, name, gauge))),
      )
      .map(({ name }) => name),
  );
  return new Set(leaving.filter(({ observed }) => observed !== undefined && crowded.has(observed.host)));
}

/** What a new machine waits for on its host. */
export const roomOn = (host: string, leaving: ReadonlySet<Standing>): readonly string[] =>
  [...leaving].filter(({ observed }) => observed?.host === host).map(({ name }) => idOf('machine.delete', name));

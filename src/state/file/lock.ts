import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problem } from '../../model/problem.ts';
import { standingOf } from '../process.ts';
import type { Holder } from '../store.ts';
import { flushFolder, orProblem, remove, textOf, writeNew } from './files.ts';
import { thisPlace, type Place } from './place.ts';

/** What a lock says. The token is of this one lock, and of no other before or after it. */
type Held = { readonly token: string; readonly holder: Holder; readonly place: Place };
type Link = { readonly path: string; readonly held: Held };

export type Lock = {
  take(holder: Holder): Promise<AsyncDisposable>;
  holder(): Promise<{ readonly holder: Holder; readonly alive: 'yes' | 'no' | 'unknown' } | undefined>;
  free(): Promise<Holder | undefined>;
};

/**
 * A lock is a file that only one can make. One whose holder is proved to be gone has at most one heir: `lock.after-TOKEN`, again
 * a file that only one can make, which then takes the lock’s place. An heir that is gone too is followed in the same way.
 */
export function lockAt(path: string, where: string, here: () => Promise<Place> = thisPlace): Lock {
  const heirOf = ({ held }: Link): string => `${path}.after-${held.token}`;

  /** The lock, its heir, the heir’s heir; the last one holds it. */
  const chain = async (): Promise<readonly Link[]> => {
    const links: Link[] = [];
    for (let next = path; ;) {
      const text = await textOf(next);
      if (text === undefined) return links;
      const link = { path: next, held: heldOf(text) };
      links.push(link);
      next = heirOf(link);
    }
  };

  const take = async (holder: Holder): Promise<AsyncDisposable> => {
    const place = await here();
    for (;;) {
      // Another one for every attempt: with the same, two heirs that were each thought gone could follow each other in a circle.
      const token = randomBytes(8).toString('hex');
      const held: Held = { token, holder, place };
      const text = `${JSON.stringify(held, null, 2)}\n`;
      const mine: AsyncDisposable = {
        [Symbol.asyncDispose]: async () => {
          const [first] = await chain();
          if (first?.held.token === token) await remove(path);
        },
      };
      const before = await chain();
      const last = before.at(-1);
      if (last === undefined) {
        if (await writeNew(path, text)) return mine;
        continue;
      }
      const alive = await lives(last.held, place);
      if (alive !== 'no') throw locked(last.held.holder, alive, where);
      const heir = heirOf(last);
      if (!(await writeNew(heir, text))) continue;
      // Whoever was faster has put another lock in place of the one that we looked at.
      if (tokens((await chain()).slice(0, -1)) !== tokens(before)) {
        await remove(heir);
        continue;
      }
      await orProblem(path, async () => {
        await rename(heir, path);
        await flushFolder(dirname(path));
      });
      for (const link of before.slice(1)) await remove(link.path);
      return mine;
    }
  };

  return {
    take,
    holder: async () => {
      const [last, place] = [(await chain()).at(-1), await here()];
      return last && { holder: last.held.holder, alive: await lives(last.held, place) };
    },
    free: async () => {
      const links = await chain();
      for (const link of links) await remove(link.path);
      return links.at(-1)?.held.holder;
    },
  };
}

const tokens = (links: readonly Link[]): string => links.map(({ held }) => held.token).join(' ');

/** Only what is proved is said: a number is looked up only where it means the same process. */
async function lives({ holder, place }: Held, here: Place): Promise<'yes' | 'no' | 'unknown'> {
  if (place.host !== here.host || place.machine !== here.machine) return 'unknown';
  if (place.boot !== here.boot) return here.machine === '' ? 'unknown' : 'no';
  if (place.namespace !== here.namespace) return 'unknown';
  const standing = await standingOf(holder);
  return standing === 'alive' ? 'yes' : standing === 'gone' ? 'no' : 'unknown';
}

const nobodyKnown: Held = {
  token: 'unreadable',
  holder: { run: '?', command: '?', who: 'somebody', host: '?', pid: 0, started: '', since: '?' },
  place: { host: '', machine: '', boot: '', namespace: '' },
};

/** Locks are whole files. One that cannot be read was damaged, and somebody may hold it all the same. */
function heldOf(text: string): Held {
  try {
    const read = JSON.parse(text) as Partial<Held>;
    const { token, holder, place } = read;
    if (typeof token !== 'string' || typeof holder?.pid !== 'number' || typeof place?.host !== 'string')
      return nobodyKnown;
    return { token, holder, place };
  } catch {
    return nobodyKnown;
  }
}

const locked = (holder: Holder, alive: 'yes' | 'unknown', where: string): Problem =>
  new Problem(
    'locked',
    `${holder.who} on ${holder.host} holds the lock of ${where} since ${holder.since}: "${holder.command}" (run ${holder.run}, process ${holder.pid}).`,
    {
      remedy: `${
        alive === 'yes'
          ? 'That process is still running: wait until it ends.'
          : 'Whether that process still runs cannot be seen from here: ask whoever started it.'
      } If you know that it is gone:\n    ichor unlock`,
    },
  );

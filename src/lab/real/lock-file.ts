import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { kill, pid as ownPid } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who has it, when somebody else does. */
export type Held = { readonly by: string };

const tellEveryMs = 20_000;
const lookMs = 500;

/** Held by one process at a time; what a dead one left behind is taken over. Whoever has to wait is told of it now and then. */
export async function lockFile(path: string, waiting: (owner: string) => void): Promise<AsyncDisposable> {
  let told = 0;
  for (;;) {
    const lock = await tryLock(path);
    if (!('by' in lock)) return lock;
    if (Date.now() - told > tellEveryMs) {
      waiting(lock.by);
      told = Date.now();
    }
    await sleep(lookMs);
  }
}

/** The lock, or who has it. */
export async function tryLock(path: string): Promise<AsyncDisposable | Held> {
  // Written first and linked then, so that no lock is ever without its owner.
  const mine = `${path}.${randomUUID()}`;
  await writeFile(mine, String(ownPid));
  try {
    for (;;) {
      const linked = await link(mine, path).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
          return false;
        },
      );
      if (linked) return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
      const owner = await readFile(path, 'utf8').catch(() => '');
      if (owner === '') continue;
      if (isAlive(Number(owner))) return { by: owner };
      await takeAway(path, owner);
    }
  } finally {
    await rm(mine, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Moved aside first: of several who saw the same dead owner only one moves it, and a new owner's lock is put back. */
async function takeAway(path: string, owner: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== owner) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

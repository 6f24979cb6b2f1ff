// A process that takes the lock of a file store again and again, sometimes leaving it as one that was killed, and looks whether
// anybody else is in the room that the lock guards.
import { mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../src/model/problem.ts';
import { openFileStore } from '../../src/state/file/store.ts';
import { thisProcess } from '../../src/state/process.ts';

const [folder = '', times = '0'] = process.argv.slice(2);
const store = openFileStore({ folder, workspace: 'default' });
const own = await thisProcess();
const holder = { run: 'run', command: 'ichor up', who: 'taker', host: hostname(), since: 'now', ...own };

/** What others find once its holder is gone. Only who holds it may say so: whoever claims it while he lives must look alive. */
async function leave(): Promise<void> {
  const lock = join(folder, '.ichor', 'default', 'lock');
  const beside = `${lock}.${own.pid}`;
  await writeFile(beside, (await readFile(lock, 'utf8')).replace(own.started, 'long ago'));
  await rename(beside, lock);
}

for (let held = 0; held < Number(times);) {
  try {
    const lock = await store.lock(holder);
    // Only one can make a folder.
    await mkdir(join(folder, 'room')).catch(() => process.stdout.write('not alone\n'));
    await rmdir(join(folder, 'room')).catch(() => process.stdout.write('not alone\n'));
    process.stdout.write('held\n');
    if (held++ % 3 === 0) await leave();
    else await lock[Symbol.asyncDispose]();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'locked') throw error;
  }
}

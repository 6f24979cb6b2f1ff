// A process that writes to a file store and ends itself, as kill -9 would, at the given operation on files.
import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { openFileStore } from '../../src/state/file/store.ts';
import { thisProcess } from '../../src/state/process.ts';

const [folder = '', kind = '', killAt = '0'] = process.argv.slice(2);

let left = Number(killAt);
const isHere = (): boolean => --left === 0;
const die = (): void => void process.kill(process.pid, 'SIGKILL');

type Any = (...words: never[]) => Promise<unknown>;
const wrapped =
  (action: Any): Any =>
  async (...words) => {
    if (isHere()) die();
    return action(...words);
  };

/** Half of the text is written when it ends there. */
const writing =
  (action: (text: string) => Promise<void>) =>
  async (text: string): Promise<void> => {
    if (!isHere()) return action(text);
    await action(text.slice(0, text.length / 2));
    die();
  };

const table = fs as unknown as Record<string, Any>;
for (const name of ['rename', 'link', 'rm', 'mkdir']) table[name] = wrapped(fs[name as 'rename']);
const open = fs.open;
table['open'] = async (...words: Parameters<typeof open>) => {
  if (isHere()) die();
  const file: FileHandle = await open(...words);
  const handle = file as unknown as Record<string, unknown>;
  for (const name of ['writeFile', 'appendFile'] as const) handle[name] = writing(file[name].bind(file));
  for (const name of ['sync', 'datasync'] as const) handle[name] = wrapped(file[name].bind(file));
  return file;
};
syncBuiltinESMExports();

const store = openFileStore({ folder, workspace: 'default' });
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const holder = {
  run: 'run-1',
  command: 'ichor up',
  who: 'writer',
  host: 'here',
  since: '2026-11-17T10:00:00.000Z',
  ...(await thisProcess()),
};

const kinds: Readonly<Record<string, () => Promise<void>>> = {
  memory: () => store.remember({ platform: 'prod', bootstrap: undefined, configured: {}, guarded: 'new' }),
  secrets: () => store.makeSecrets('x'.repeat(10_000)),
  artifact: () => store.writeArtifact('kubeconfig', 'y'.repeat(10_000)),
  delete: () => store.deleteArtifact('kubeconfig'),
  lock: async () => {
    const lock = await store.lock(holder);
    await lock[Symbol.asyncDispose]();
  },
  journal: async () => {
    await using journal = await store.begin('run-1');
    for (let step = 0; step < 3; step++) {
      await journal.write({
        at: holder.since,
        kind: 'intent',
        step: `step ${step}`,
        attempt: 1,
        because: 'z'.repeat(100),
      });
      say(`step ${step}`);
    }
  },
};
await kinds[kind]?.();
say('whole');

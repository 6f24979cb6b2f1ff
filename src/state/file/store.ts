import { join } from 'node:path';
import { Problem } from '../../model/problem.ts';
import type { Store } from '../store.ts';
import { keepOutOfGit, makeFolder, namesIn, remove, textOf, tidy, writeNew, writeWhole } from './files.ts';
import { beginJournal, pastRuns } from './journal.ts';
import { lockAt } from './lock.ts';
import { memoryText, nothing, parseMemory } from './memory.ts';
import type { Place } from './place.ts';

type FileStoreOptions = {
  /** The one that ichor runs in. */
  readonly folder: string;
  readonly workspace: string;
  /** Where this process runs; a test may say it is elsewhere. */
  readonly here?: () => Promise<Place>;
};

/** Where things lie, below the folder. */
const layoutOf = (workspace: string): { readonly artifacts: string; readonly kept: string } => ({
  artifacts: workspace === 'default' ? 'talos' : `talos-${workspace}`,
  kept: join('.ichor', workspace),
});

const secretsFile = 'secrets.yaml';

/** The folders that ichor keeps for itself in this one, of whatever workspace: names, that nobody puts into Git. */
export async function keptFolders(folder: string, workspace: string): Promise<readonly string[]> {
  const workspaces = await namesIn(join(folder, '.ichor'));
  const known = new Set(['default', workspace, ...workspaces.filter(isName)]);
  return ['.ichor', ...[...known].map((name) => layoutOf(name).artifacts)];
}

/** State in files: what people get in `talos/`, what only ichor needs in `.ichor/`. */
export function openFileStore({ folder, workspace, here }: FileStoreOptions): Store {
  mustBeName(workspace);
  const layout = layoutOf(workspace);
  const [artifacts, kept] = [join(folder, layout.artifacts), join(folder, layout.kept)];
  const [memoryFile, secrets, runs] = [join(kept, 'memory.json'), join(artifacts, secretsFile), join(kept, 'runs')];
  const lock = lockAt(join(kept, 'lock'), `workspace "${workspace}" (${kept})`, here);
  const artifact = (path: string): string => join(artifacts, safe(path));
  const privately = async <T>(write: () => Promise<T>): Promise<T> => {
    await keepOutOfGit(artifacts);
    return write();
  };

  const memory: Store['memory'] = async (platform) => {
    const text = await textOf(memoryFile);
    if (text === undefined) return nothing(platform);
    const read = parseMemory(text, memoryFile);
    if (read.platform !== platform) throw belongsTo(read.platform, platform, workspace, artifacts);
    return read;
  };

  return {
    where: artifacts,
    memory,
    remember: async (next) => {
      await memory(next.platform);
      await writeWhole(memoryFile, memoryText(next));
    },
    secrets: () => textOf(secrets),
    makeSecrets: async (text) => {
      if (!(await privately(() => writeNew(secrets, text)))) throw secretsThere(secrets);
    },
    deleteSecrets: () => remove(secrets),
    artifact: (path) => textOf(artifact(path)),
    writeArtifact: (path, text) => privately(() => writeWhole(artifact(path), text)),
    deleteArtifact: (path) => remove(artifact(path)),
    lock: async (holder) => {
      await keepOutOfGit(join(folder, '.ichor'));
      await makeFolder(kept);
      const held = await lock.take(holder);
      await Promise.all([tidy(kept), tidy(artifacts)]);
      return held;
    },
    holder: () => lock.holder(),
    unlock: () => lock.free(),
    begin: (run) => beginJournal(runs, run),
    runs: () => pastRuns(runs),
  };
}

function safe(path: string): string {
  const parts = path.split('/');
  if (path === secretsFile || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new Error(`"${path}" is no artifact.`);
  return path;
}

const isName = (workspace: string): boolean => /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/.test(workspace);

function mustBeName(workspace: string): void {
  if (isName(workspace)) return;
  throw new Problem('bad-workspace', `"${workspace}" cannot be the name of a workspace.`, {
    remedy:
      'Use up to 63 small letters, digits, dots, dashes and underscores, with a letter or digit at both ends:\n    ichor up --workspace staging',
  });
}

const belongsTo = (owner: string, asked: string, workspace: string, where: string): Problem =>
  new Problem(
    'other-platform',
    `Workspace "${workspace}" (${where}) belongs to platform "${owner}", and the file is about platform "${asked}".`,
    {
      remedy: `If "${owner}" was renamed, put its name back in the file: machines are known by the name of their platform, and one of another name is another cluster, with machines and addresses of its own. If that is what you want, give it a workspace of its own:\n    ichor up --workspace ${asked}`,
    },
  );

const secretsThere = (path: string): Problem =>
  new Problem('secrets-exist', `"${path}" was written by somebody else meanwhile.`, {
    remedy:
      'Secrets are never written over, because a cluster is lost without them. Run it again: what is there is used.',
  });

import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Problem, Problems } from '../../../model/problem.ts';
import { readKubeconfig, type Cluster, type Given, type Kubeconfig, type User } from './read.ts';

export type Surroundings = {
  /** `KUBECONFIG`, `HOME`, `HTTPS_PROXY`, `KUBERNETES_SERVICE_HOST` … */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told which files of KUBECONFIG are missing when none is there. */
  readonly warn?: (message: string) => void;
};

export type Loaded = { readonly files: readonly string[]; readonly config: Kubeconfig };

/** Files in the order in which they count. One that was named must be there; of KUBECONFIG what is missing is passed over. */
export async function loadKubeconfigs(named: string | undefined, { env, warn }: Surroundings): Promise<Loaded> {
  const variable = env['KUBECONFIG'] ?? '';
  const listed = [...new Set(variable.split(':').filter((path) => path !== ''))];
  const home = env['HOME'] ?? '';
  const paths = named !== undefined ? [named] : variable !== '' ? listed : [join(home, '.kube', 'config')];

  const texts = new Map<string, string>();
  const problems: Problem[] = [];
  const read: Kubeconfig[] = [];
  for (const path of paths) {
    try {
      const text = await textOf(path, named !== undefined);
      if (text === undefined) continue;
      texts.set(path, text);
      read.push(absolute(readKubeconfig(path, text), path));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(error);
    }
  }
  if (problems.length > 0) throw new Problems(problems, texts);
  if (variable !== '' && named === undefined && read.length === 0)
    warn?.(`KUBECONFIG names files that are not there: ${listed.join(', ')}`);
  return { files: [...texts.keys()], config: merged(read) };
}

async function textOf(path: string, mustExist: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (missing && !mustExist) return undefined;
    throw new Problem(
      'kubeconfig-unreadable',
      `The kubeconfig ${path} ${missing ? 'is not there' : 'cannot be read'}.`,
      {
        remedy: `Name one that is there, or fetch it from the cluster:\n    ${missing ? 'ichor talos kubeconfig' : `ls -l ${path}`}`,
        cause: error,
      },
    );
  }
}

/** Whoever says something first is believed, and of what is said later about the same nothing is taken. */
function merged(configs: readonly Kubeconfig[]): Kubeconfig {
  const firstOf = <T>(part: (config: Kubeconfig) => ReadonlyMap<string, T>): ReadonlyMap<string, T> => {
    const all = new Map<string, T>();
    for (const config of configs) for (const [name, entry] of part(config)) if (!all.has(name)) all.set(name, entry);
    return all;
  };
  return {
    current: configs.find(({ current }) => current !== undefined)?.current,
    clusters: firstOf(({ clusters }) => clusters),
    users: firstOf(({ users }) => users),
    contexts: firstOf(({ contexts }) => contexts),
  };
}

/** Paths are meant from the folder of the file that they stand in. */
function absolute(config: Kubeconfig, file: string): Kubeconfig {
  const from = dirname(file);
  const full = (path: string): string => (isAbsolute(path) ? path : join(from, path));
  const fullGiven = (given: Given | undefined): Given | undefined =>
    given !== undefined && 'path' in given ? { path: full(given.path) } : given;
  const cluster = (one: Cluster): Cluster => ({ ...one, ca: fullGiven(one.ca) });
  const user = (one: User): User => ({
    ...one,
    crt: fullGiven(one.crt),
    key: fullGiven(one.key),
    tokenFile: one.tokenFile === undefined ? undefined : full(one.tokenFile),
    // A command without a folder is looked for in PATH.
    exec:
      one.exec === undefined || !one.exec.command.includes('/')
        ? one.exec
        : { ...one.exec, command: full(one.exec.command) },
  });
  const each = <T>(map: ReadonlyMap<string, T>, change: (one: T) => T): ReadonlyMap<string, T> =>
    new Map([...map].map(([name, one]) => [name, change(one)]));
  return { ...config, clusters: each(config.clusters, cluster), users: each(config.users, user) };
}

import type { TryFile } from '../../../model/file.ts';
import { Problem } from '../../../model/problem.ts';
import type { ImageRequest } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
import { ApiProblem } from '../api/problem.ts';
import { sizeOnHost, wantedOf } from '../read/images.ts';
import { notThere } from '../write/images.ts';
import type { Checked } from './cluster.ts';
import { withRoles, type Look } from './finding.ts';

type Fetched = Extract<ImageRequest, { url: string }>;

/** Why this machine cannot have a file; undefined: it can. */
export type FromHere = (image: Fetched) => Promise<Problem | undefined>;

/** However many hosts there are, this machine asks once. */
export function onceFromHere(tryFile: TryFile, signal: AbortSignal): FromHere {
  const asked = new Map<string, Promise<Problem | undefined>>();
  return (image) => {
    const known = asked.get(image.url) ?? problemOf(tryFile(image, signal));
    asked.set(image.url, known);
    return known;
  };
}

async function problemOf(trying: Promise<void>): Promise<Problem | undefined> {
  try {
    await trying;
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

type Wish = { readonly host: string; readonly image: ImageRequest; readonly here: FromHere };

export function imageLook({ api }: Checked, { host, image, here }: Wish, signal: AbortSignal): Look {
  const wanted = wantedOf(image);
  const isThere = async (): Promise<boolean> => (await sizeOnHost(api, host, wanted, signal)) !== undefined;
  if ('volume' in image) {
    const look = async () => ((await isThere()) ? undefined : notThere(host, wanted));
    return { about: 'image', host, what: `${image.volume} is there on ${host}.`, look };
  }
  return {
    about: 'image',
    host,
    what:
      image.download === 'here' ? `This machine can bring ${image.url} to ${host}.` : `${host} can have ${image.url}.`,
    look: async () => {
      // Why a datastore cannot be looked at is said where datastores are.
      if (await isThere().catch(ignoringProblems)) return undefined;
      if (image.download === 'here') return here(image);
      const problem = await problemAt(api, host, image, signal);
      if (problem === undefined || image.download === 'host') return problem;
      return (await here(image)) === undefined ? broughtFromHere(host, problem) : problem;
    },
  };
}

function ignoringProblems(error: unknown): false {
  if (error instanceof Problem) return false;
  throw error;
}

/** It would not stop anybody: another way is left. */
const broughtFromHere = (host: string, { code, message, remedy }: Problem): Problem =>
  new Problem(code, `${message} This machine can, and would upload it to ${host}.`, { severity: 'warning', remedy });

async function problemAt(
  api: ProxmoxApi,
  host: string,
  { url, download }: Fetched,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const request = {
    path: path`/nodes/${host}/query-url-metadata`,
    doing: `look for the image from ${host}`,
    params: { url },
    needs: { path: `/nodes/${host}`, privilege: 'Sys.AccessNetwork' },
  };
  try {
    await api.get(request, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code !== 'proxmox-download') return withRoles(error);
    const other = download === 'host' ? ', or let this machine bring it with cluster.talos.image.download: auto' : '';
    return new Problem('proxmox-image-unreachable', `${host} cannot have ${url}: ${saidBy(error)}.`, {
      remedy: `Let the host reach it${other}.\n    ssh root@${host} curl -sSI '${url}'`,
    });
  }
}

/** What the host itself was told. */
const saidBy = (problem: Problem): string =>
  (problem instanceof ApiProblem ? problem.said : problem.message).replace(/\.$/, '');

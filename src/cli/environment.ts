import { homedir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../model/problem.ts';

/** A file of the person who runs this. Without HOME nobody says who that is: the system would name the home of root by accident. */
export function inHome(...path: readonly string[]): string {
  const home = process.env['HOME'] || process.env['USERPROFILE'];
  if (home !== undefined && home !== '') return join(home, ...path);
  throw new Problem('no-home', `HOME is not set, so nobody knows where ~/${path.join('/')} is.`, {
    remedy: 'Name the file with --out, or say where your home is:\n    export HOME=/home/you',
  });
}

/** Where files lie that can be made or fetched again. */
export const cacheFolder = (name: string): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'ichor', name);

/** How this machine reaches the outside, as other programs are told too. */
export function proxies(): { readonly http?: string; readonly https?: string; readonly no?: string } {
  const given = (name: string): string | undefined => process.env[name] ?? process.env[name.toLowerCase()];
  const [http, https, no] = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map(given);
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    ...(no === undefined ? {} : { no }),
  };
}

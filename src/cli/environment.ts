import { homedir } from 'node:os';
import { join } from 'node:path';

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

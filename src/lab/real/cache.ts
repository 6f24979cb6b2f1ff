import { homedir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';

/** A folder that outlives the run: what is in it was expensive to make. */
export const realCache = (name: string): string =>
  join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'ichor', 'real', name);

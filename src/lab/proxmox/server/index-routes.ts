import { answer } from '../call.ts';
import type { Routes } from '../call.ts';

/** What only lists what lies below. */
export const indexRoutes: Routes = {
  'GET /': () => answer(['version', 'cluster', 'nodes', 'storage', 'access', 'pools'].map((subdir) => ({ subdir }))),
};

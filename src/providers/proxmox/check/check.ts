import type { Finding } from '../../provider.ts';
import { listResources } from '../read/resources.ts';
import { checkCluster, type Checked } from './cluster.ts';
import { checkEndpoints } from './endpoints.ts';
import { checkHosts } from './hosts.ts';

/** Everything that would stop us later. Only a cluster that does not answer at all ends it with a problem of its own. */
export async function check(asked: Omit<Checked, 'resources'>, signal: AbortSignal): Promise<readonly Finding[]> {
  const checked = { ...asked, resources: await listResources(asked.api, signal) };
  const found = await Promise.all([
    checkEndpoints(asked.endpoints, signal),
    checkCluster(checked, signal),
    checkHosts(checked, signal),
  ]);
  return found.flat();
}

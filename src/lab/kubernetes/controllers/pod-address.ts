import type { Pod } from './shapes.ts';
import { find } from './tools.ts';
import type { Tools } from './tools.ts';

/** The address that a pod has, or the first of its node’s range that nobody has. */
export function addressFor(tools: Tools, pod: Pod): string | undefined {
  const name = pod.spec.nodeName ?? '';
  if (pod.spec.hostNetwork === true) return tools.nodes().find((each) => each.name === name)?.address;
  if (pod.status?.podIP !== undefined) return pod.status.podIP;
  const range = find(tools.api, '/nodes', name)?.spec.podCIDR;
  if (range === undefined) return undefined;
  const taken = new Set(tools.pods.on(name).map(({ status }) => status?.podIP));
  const prefix = range.replace(/\d+\/\d+$/, '');
  for (let last = 2; last < 255; last++) if (!taken.has(`${prefix}${last}`)) return `${prefix}${last}`;
  return undefined;
}

import type { Controller } from './loop.ts';
import { usedOf } from './quota-usage.ts';
import { all, controllerManager, find, keyOf, writeStatus } from './tools.ts';
import type { Tools } from './tools.ts';

const resource = '/resourcequotas';

/** Says how much of each quota is used. Nobody is refused by it. */
export function quotas({ api }: Tools): Controller {
  return {
    name: 'quota',
    watches: {
      '*': ({ metadata }) =>
        metadata.namespace === undefined ? [] : api.list(resource, metadata.namespace).map(keyOf),
    },
    reconcile: (key) => {
      const quota = find(api, resource, key);
      if (quota === undefined) return;
      const { hard = {} } = quota.spec;
      const pods = all(api, '/pods', quota.metadata.namespace);
      const used = Object.fromEntries(
        Object.keys(hard).map((name) => [name, usedOf(api, quota.metadata.namespace, pods, name)]),
      );
      writeStatus(api, resource, quota, { hard, used }, controllerManager);
    },
  };
}

import { answer, type Routes } from '../call.ts';
import { haGroupRoutes } from './group-routes.ts';
import { haResourceRoutes } from './resource-routes.ts';
import { haRuleRoutes } from './rule-routes.ts';
import { managerStatus, statusRows } from './status.ts';

export const haRoutes: Routes = {
  ...haResourceRoutes,
  ...haRuleRoutes,
  ...haGroupRoutes,
  'GET /cluster/ha': ({ datacenter }) =>
    answer(['status', 'resources', 'groups', ...(datacenter.version.major < 9 ? [] : ['rules'])].map((id) => ({ id }))),
  'GET /cluster/ha/status': ({ datacenter }) =>
    answer(
      ['current', 'manager_status', ...(datacenter.version.major < 9 ? [] : ['arm-ha', 'disarm-ha'])].map((name) => ({
        name,
      })),
    ),
  'GET /cluster/ha/status/current': (call) => answer(statusRows(call)),
  'GET /cluster/ha/status/manager_status': (call) => answer(managerStatus(call)),
  'POST /cluster/ha/status/arm-ha': ({ datacenter }) => {
    datacenter.ha.manager.disarmed = undefined;
    return answer(null);
  },
  'POST /cluster/ha/status/disarm-ha': (call) => {
    call.datacenter.ha.manager.disarmed = call.text('resource-mode') === 'ignore' ? 'ignore' : 'freeze';
    return answer(null);
  },
};

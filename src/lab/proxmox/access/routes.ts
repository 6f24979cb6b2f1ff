import type { Routes } from '../call.ts';
import { aclRoutes } from './acl-routes.ts';
import { groupRoutes } from './group-routes.ts';
import { roleRoutes } from './role-routes.ts';
import { ticketRoutes } from './ticket-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { userRoutes } from './user-routes.ts';

export const accessRoutes: Routes = {
  ...ticketRoutes,
  ...userRoutes,
  ...groupRoutes,
  ...tokenRoutes,
  ...roleRoutes,
  ...aclRoutes,
};

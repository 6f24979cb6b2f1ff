import type { Call, Principal } from '../call.ts';
import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import { forbidden } from '../refusal.ts';

/** Where something is done, and in whose name. A Call is one. */
export type Site = {
  readonly datacenter: Datacenter;
  readonly host: Host;
  readonly who: Principal;
};

/** Helpers of a host, and its HA manager. */
export const root: Principal = { user: 'root@pam', token: undefined };

/** Somebody whose rights are asked for while work is done; a Call is one. */
export type Asker = Pick<Call, 'datacenter' | 'host' | 'require'>;

/** Rights of whoever a task belongs to, where its request is long answered. */
export const askerOf = ({ datacenter, host, who }: Site): Asker => ({
  datacenter,
  host,
  require: (path, privileges, how = 'all') => {
    const may = (wanted: readonly string[]): boolean => datacenter.access.may(who, path, wanted, how);
    if (may(privileges)) return;
    const missing = how === 'any' ? privileges : privileges.filter((each) => !may([each])).slice(0, 1);
    throw forbidden(`${path}, ${missing.join('|')}`);
  },
});

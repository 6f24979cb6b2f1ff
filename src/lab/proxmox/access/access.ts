import type { Principal } from '../call.ts';

/** Users, tokens, roles and what they may do where. */
export interface Access {
  /** Privileges at a path, each with whether it goes on to what lies below. */
  privileges(who: Principal, path: string): ReadonlyMap<string, boolean>;
  may(who: Principal, path: string, privileges: readonly string[], how?: 'all' | 'any'): boolean;
  /** A VM that is gone leaves no rights behind. */
  forgetPath(path: string): void;
}

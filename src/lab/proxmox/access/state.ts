import type { Access } from './access.ts';
import type { Acl } from './acl.ts';
import type { Tickets } from './tickets.ts';

export type Token = {
  value: string;
  privsep: boolean;
  /** Seconds since 1970; 0: never. */
  expire: number;
  comment: string | undefined;
};

export type User = {
  enable: boolean;
  /** Seconds since 1970; 0: never. */
  expire: number;
  /** first and last name, e-mail, comment, keys */
  readonly details: Map<string, string>;
  readonly groups: Set<string>;
  readonly tokens: Map<string, Token>;
  password: string | undefined;
};

/** user.cfg and what belongs to it. */
export interface AccessState extends Access {
  readonly users: Map<string, User>;
  readonly groups: Map<string, { comment: string | undefined }>;
  /** By name, with what they allow; the built-in ones among them. */
  readonly roles: Map<string, ReadonlySet<string>>;
  readonly acl: Acl;
  readonly tickets: Tickets;
  isBuiltIn(role: string): boolean;
  /** Refuses as the real thing does when somebody is not there. */
  user(userid: string): User;
  /** Not there, switched off or expired: what to say about it. */
  whyNot(userid: string): string | undefined;
}

export const newUser = (): User => ({
  enable: true,
  expire: 0,
  details: new Map(),
  groups: new Set(),
  tokens: new Map(),
  password: undefined,
});

/** pam knows root alone; pve keeps passwords of its own. */
export const realms: ReadonlyMap<string, { readonly type: string; readonly comment: string }> = new Map([
  ['pam', { type: 'pam', comment: 'Linux PAM standard authentication' }],
  ['pve', { type: 'pve', comment: 'Proxmox VE authentication server' }],
]);

export const realmOf = (userid: string): string => userid.slice(userid.lastIndexOf('@') + 1);

import type { IncomingHttpHeaders } from 'node:http';
import type { User } from '../api.ts';
import { badRequest, quote } from '../refusal.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { accountGroups } from './account-tokens.ts';
import type { Authorizer } from './authorize.ts';
import { refused } from './forbidden.ts';

const account = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** As whom somebody acts, who may act as others; refused in the API server’s words. */
export function impersonated(authorize: Authorizer, user: User, headers: IncomingHttpHeaders, info: RequestInfo): User {
  const wanted = wantedUser(headers);
  if (wanted === undefined) return user;
  if (wanted.name === '')
    throw badRequest(
      `requested &user.DefaultInfo{Name:"", UID:"${wanted.uid ?? ''}", Groups:[]string{${wanted.groups.map(quote).join(', ')}}, Extra:map[string][]string(nil)} without impersonating a user name`,
    );
  const isAllowed = (resource: string, name: string, namespace?: string, group = '', subresource?: string): boolean =>
    authorize({
      user,
      verb: 'impersonate',
      path: '',
      resource: { group, version: 'v1', resource, subresource, namespace, name },
    }).isAllowed;
  const [, namespace, accountName] = account.exec(wanted.name) ?? [];
  const extras = Object.entries(wanted.extra ?? {});
  const isPermitted =
    (accountName === undefined
      ? isAllowed('users', wanted.name)
      : isAllowed('serviceaccounts', accountName, namespace)) &&
    wanted.groups.every((each) => isAllowed('groups', each)) &&
    (wanted.uid === undefined || isAllowed('uids', wanted.uid, undefined, 'authentication.k8s.io')) &&
    extras.every(([key, values]) =>
      values.every((value) => isAllowed('userextras', value, undefined, 'authentication.k8s.io', key)),
    );
  if (!isPermitted) {
    const mode = accountName === undefined ? 'user-info' : 'serviceaccount';
    throw refused({ user, verb: `impersonate-on:${mode}:${info.verb}`, resource: info.resource, path: info.path }, '');
  }
  return { ...wanted, groups: groupsOf(wanted, namespace) };
}

function groupsOf({ name, groups }: User, namespace: string | undefined): readonly string[] {
  const own = groups.length === 0 && namespace !== undefined ? accountGroups(namespace) : groups;
  if (name === 'system:anonymous') return [...own, 'system:unauthenticated'];
  return own.includes('system:authenticated') ? own : [...own, 'system:authenticated'];
}

function wantedUser(headers: IncomingHttpHeaders): User | undefined {
  const all = (name: string): readonly string[] => {
    const value = headers[name];
    if (value === undefined) return [];
    return Array.isArray(value) ? value : value.split(', ');
  };
  const groups = all('impersonate-group');
  const [name = ''] = all('impersonate-user');
  const [uid] = all('impersonate-uid');
  const prefix = 'impersonate-extra-';
  const extra = Object.fromEntries(
    Object.keys(headers)
      .filter((key) => key.startsWith(prefix))
      .map((key) => [decodeURIComponent(key.slice(prefix.length)), all(key)]),
  );
  const hasExtra = Object.keys(extra).length > 0;
  if (name === '' && groups.length === 0 && uid === undefined && !hasExtra) return undefined;
  return { name, groups, ...(uid === undefined ? {} : { uid }), ...(hasExtra ? { extra } : {}) };
}

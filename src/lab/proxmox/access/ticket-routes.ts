import { answer, principalName } from '../call.ts';
import type { Call, Principal, Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { forbidden, Refusal } from '../refusal.ts';
import { splitList } from '../schema/perl-text.ts';
import { normalPath } from './paths.ts';
import { accessOf, userConfig } from './state-of.ts';
import { realmOf, realms } from './state.ts';

const groups: readonly (readonly [string, string, RegExp])[] = [
  ['vms', '/vms', /^(VM\.|Permissions\.Modify)/],
  ['access', '/access/groups', /^((User|Group)\.|Permissions\.Modify)/],
  ['storage', '/storage', /^(Datastore\.|Permissions\.Modify)/],
  ['nodes', '/nodes', /^(Sys\.|Permissions\.Modify)/],
  ['sdn', '/sdn', /^(SDN\.|Permissions\.Modify)/],
  ['dc', '/', /^(Sys\.Audit|Sys\.Modify|SDN\.)/],
  ['mapping', '/mapping', /^(Mapping\.|Permissions\.Modify)/],
];

/** What the pages of the web interface show somebody, by what it is about. */
function capabilities(call: Call, userid: string): Record<string, Record<string, 1>> {
  const access = accessOf(call.datacenter);
  const shown: Record<string, Record<string, 1>> = Object.fromEntries(groups.map(([name]) => [name, {}]));
  const put = (name: string, privilege: string): void => {
    const group = shown[name];
    if (group !== undefined) group[privilege] = 1;
  };
  for (const path of new Set([...groups.map(([, top]) => top), ...access.acl.paths()])) {
    const [, top = ''] = /^\/(\w+)/.exec(path) ?? [];
    for (const privilege of access.privileges({ user: userid, token: undefined }, path).keys()) {
      if (top !== 'pool') {
        const [name, , pattern] = groups.find(([each]) => each === (top === '' ? 'dc' : top)) ?? [];
        if (name !== undefined && pattern?.test(privilege) === true) put(name, privilege);
      } else if (privilege.startsWith('VM.')) put('vms', privilege);
      else if (privilege.startsWith('Datastore.')) put('storage', privilege);
    }
  }
  return shown;
}

/** Whether that is somebody’s password; every realm but pam and pve is out of reach. */
function isPassword(call: Call, userid: string, password: string): boolean {
  const user = accessOf(call.datacenter).users.get(userid);
  return realms.has(realmOf(userid)) && user?.password !== undefined && user.password === password;
}

const failure = (): Refusal => new Refusal(401, 'authentication failure');

/** Nothing is told about why. */
function login(call: Call): { readonly userid: string; readonly renewed: boolean } {
  const access = accessOf(call.datacenter);
  const realm = call.text('realm');
  const userid = `${call.text('username') ?? ''}${realm === undefined ? '' : `@${realm}`}`;
  if (access.whyNot(userid) !== undefined) throw failure();
  const password = call.text('password') ?? '';
  const holder = access.tickets.holder(password);
  const renewed = holder !== undefined && (holder === 'root@pam' || holder === userid);
  if (!renewed && !isPassword(call, userid, password)) throw failure();
  return { userid, renewed };
}

export const ticketRoutes: Routes = {
  'GET /access/domains': () => answer([...realms].map(([realm, { type, comment }]) => ({ realm, type, comment }))),

  'GET /access/ticket': () => answer(null),

  'POST /access/ticket': (call) => {
    const { datacenter } = call;
    const access = accessOf(datacenter);
    const { userid } = login(call);
    const self: Principal = { user: userid, token: undefined };
    const path = call.text('path');
    if (path !== undefined && !access.may(self, normalPath(path) ?? '', splitList(call.text('privs') ?? '')))
      throw failure();
    const { ticket, csrf } = access.tickets.issue(userid);
    const showsCluster = datacenter.clusterName !== undefined && access.may(self, '/', ['Sys.Audit']);
    return answer({
      username: userid,
      ...(path === undefined ? { ticket, CSRFPreventionToken: csrf } : {}),
      cap: capabilities(call, userid),
      ...(showsCluster ? { clustername: datacenter.clusterName } : {}),
    });
  },

  'PUT /access/password': async (call) => {
    const access = accessOf(call.datacenter);
    const userid = call.text('userid') ?? '';
    const user = access.user(userid);
    const self = principalName(call.who);
    if (self !== 'root@pam') {
      if (userid === 'root@pam') throw forbidden();
      const own = call.text('confirmation-password');
      if (own === undefined)
        throw new Refusal(400, 'Parameter verification failed.', {
          'confirmation-password': 'password is required to modify user',
        });
      if (!isPassword(call, self, own)) throw failure();
      if (self !== userid && realmOf(userid) === 'pam') throw forbidden();
    }
    await changingFile(call, userConfig, undefined, () => {
      user.password = call.text('password');
    });
    return answer(null);
  },
};

import type { Check, Endpoint } from '../../../wire/proxmox/notation.ts';
import type { Principal } from '../call.ts';
import { died, forbidden } from '../refusal.ts';
import { splitList } from '../schema/perl-text.ts';
import { textOf } from '../server/form.ts';
import type { Sent } from '../server/form.ts';
import { normalPath } from './paths.ts';
import { realmOf } from './state.ts';
import type { AccessState } from './state.ts';

export type Asked = {
  readonly who: Principal | undefined;
  readonly byToken: boolean;
  /** Below the format. */
  readonly path: string;
  readonly sent: Sent;
};

/** Refuses what a call needs and whoever asks does not have. */
export function permit(access: AccessState, { permission, tokens }: Endpoint, asked: Asked): void {
  if (asked.byToken && tokens === false)
    throw forbidden(`URI '${asked.path}' not available with API token, need proper ticket.\n`);
  const { who } = asked;
  if (who === undefined) {
    if (permission === 'world') return;
    throw forbidden('user != null');
  }
  if (who.user === 'root@pam' && who.token === undefined) return;
  if (permission === 'root') throw forbidden('user != root@pam');
  if (permission === 'all' || permission === 'world') return;
  const refusal = complaint({ access, who, sent: asked.sent }, permission);
  if (refusal !== undefined) throw refusal;
}

type Scene = { readonly access: AccessState; readonly who: Principal; readonly sent: Sent };

/** Undefined: it holds. */
function complaint(scene: Scene, check: Check): Error | undefined {
  switch (check.kind) {
    case 'both':
      return check.checks.map((each) => complaint(scene, each)).find((each) => each !== undefined);
    case 'either':
      return check.checks.some((each) => complaint(scene, each) === undefined) ? undefined : forbidden();
    case 'at':
      if (check.ifGiven !== undefined && scene.sent[check.ifGiven] === undefined) return forbidden();
      return privilegeComplaint(scene, filledIn(check.path, scene.sent), check.privileges, check.any);
    case 'modify permissions': {
      const path = filledIn(check.path, scene.sent);
      return path === undefined ? undefined : privilegeComplaint(scene, path, modifying(path), true);
    }
    case 'user':
      return userComplaint(scene, check.what);
    case 'user group':
      return groupComplaint(scene, check.privileges, check.groups);
  }
}

/** A path that nothing can be put into is no path, and nobody has anything there. */
function privilegeComplaint(
  { access, who }: Scene,
  path: string | undefined,
  privileges: readonly string[],
  any: boolean,
): Error | undefined {
  const held = path === undefined ? new Map<string, boolean>() : access.privileges(who, path);
  const missing = privileges.filter((each) => !held.has(each));
  if (missing.length === 0 || (any && missing.length < privileges.length)) return undefined;
  return forbidden(`${path ?? ''}, ${any ? privileges.join('|') : missing[0]}`);
}

const filledIn = (template: string, sent: Sent): string | undefined =>
  normalPath(
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = sent[name];
      return typeof value === 'object' && value !== null ? '()' : textOf(value);
    }),
  );

/** Whoever may make things there may also say who else may. */
function modifying(path: string): readonly string[] {
  const [, kind] = /^\/(storage|vms|pool)\/./.exec(path) ?? [];
  const own = { storage: 'Datastore.Allocate', vms: 'VM.Allocate', pool: 'Pool.Allocate' } as const;
  return ['Permissions.Modify', ...(kind === undefined ? [] : [own[kind as keyof typeof own]])];
}

function userComplaint(scene: Scene, what: 'self' | 'Realm.AllocateUser'): Error | undefined {
  const userid = textOf(scene.sent['userid']);
  if (what === 'Realm.AllocateUser')
    return privilegeComplaint(scene, `/access/realm/${realmOf(userid)}`, ['Realm.AllocateUser'], false);
  if (!scene.access.users.has(userid)) return died(`no such user ('${userid}')`);
  return scene.who.token === undefined && scene.who.user === userid ? undefined : forbidden();
}

function groupComplaint(
  scene: Scene,
  privileges: readonly string[],
  groups: 'create' | 'update' | undefined,
): Error | undefined {
  const { access, who, sent } = scene;
  const userid = textOf(sent['userid']);
  const user = access.users.get(userid);
  if (groups !== 'create' && user === undefined) return died(`no such user ('${userid}')`);
  if (access.may(who, '/access/groups', privileges, 'any')) return undefined;
  const mine = [...access.groups.keys()].filter((each) => access.may(who, `/access/groups/${each}`, privileges, 'any'));
  if (groups !== undefined) {
    const wanted = splitList(textOf(sent['groups']));
    if (wanted.length === 0) return forbidden(`/access/groups, ${privileges.join('|')}`);
    const other = wanted.find((each) => !mine.includes(each));
    if (other !== undefined) return forbidden(`/access/groups/${other}, ${privileges.join('|')}`);
  }
  return groups === 'create' || mine.some((each) => user?.groups.has(each) === true) ? undefined : forbidden();
}

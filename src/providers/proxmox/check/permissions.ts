import { Problem } from '../../../model/problem.ts';
import type { Permissions } from '../permissions.ts';
import type { Grant } from './rights.ts';

/** Who asks: a token and its user, each with what it may do. */
export type Holder = {
  readonly who: string;
  readonly permissions: Permissions;
  /** What the user of a token may do; undefined: there is no token, or it may not be asked. */
  readonly user: Permissions | undefined;
};

/** What is missing of a grant, by path. */
type Lack = {
  readonly grant: Grant;
  readonly path: string;
  readonly privileges: readonly string[];
};

/** All that is missing in one problem, with the commands that give it; undefined: nothing is. */
export function lackOf(holder: Holder, grants: readonly Grant[]): Problem | undefined {
  const lacks = grants.flatMap((grant) =>
    grant.paths.flatMap((path): readonly Lack[] => {
      const privileges = grant.privileges.filter((privilege) => !may(holder.permissions, grant, path, privilege));
      return privileges.length === 0 ? [] : [{ grant, path, privileges }];
    }),
  );
  if (lacks.length === 0) return undefined;
  const lines = lacks.map(
    ({ grant: { optional: without }, path, privileges }) =>
      `    ${path}: ${privileges.join(' ')}${without === undefined ? '' : ` (without: ${without})`}`,
  );
  return new Problem('proxmox-permissions', `${holder.who} lacks rights:\n${lines.join('\n')}`, {
    severity: lacks.every(({ grant }) => grant.optional !== undefined) ? 'warning' : 'error',
    remedy: [
      'Make these roles and give them, as root on any host; they may be typed again. What is given at a path takes the place of what comes from above, so they hold all that is needed there:',
      ...commands(holder, grants, new Set(lacks.map(({ path }) => path))),
    ].join('\n'),
  });
}

const may = (permissions: Permissions, { or }: Grant, path: string, privilege: string): boolean =>
  permissions.may(path, privilege) || (or !== undefined && permissions.may(or, privilege));

/** For each path that lacks something: every role that is needed there, and one with whatever else it has there now. */
function commands(holder: Holder, grants: readonly Grant[], paths: ReadonlySet<string>): readonly string[] {
  const roles = new Map<string, readonly string[]>();
  const given = [...paths].map((path) => {
    const needed = grants.filter((grant) => grant.paths.includes(path));
    const names = needed.map(({ role, privileges }) => {
      roles.set(role, privileges);
      return role;
    });
    const kept = keptAt(holder, path, new Set(needed.flatMap(({ privileges }) => privileges)));
    if (kept.length > 0) names.push(roleFor(roles, kept));
    return `    pveum acl modify ${path} --roles ${names.join(',')} ${subjectOf(holder, path, needed)}`;
  });
  return [...[...roles].map(([role, privileges]) => making(role, privileges)), ...given];
}

/** What Proxmox asks for at paths of a kind; there is nothing above the root that could be lost. */
const asked: Readonly<Record<string, RegExp>> = {
  nodes: /^(Sys|Permissions)\./,
  pool: /^(Pool|VM|Datastore|Permissions)\./,
  sdn: /^(SDN|Permissions)\./,
  storage: /^(Datastore|Permissions)\./,
  vms: /^(VM|Permissions)\./,
};

function keptAt({ permissions }: Holder, path: string, needed: ReadonlySet<string>): readonly string[] {
  const counts = asked[path.split('/')[1] ?? ''];
  return [...permissions.at(path)].filter((each) => counts?.test(each) === true && !needed.has(each)).toSorted();
}

/** Paths that keep the same share a role. */
function roleFor(roles: Map<string, readonly string[]>, kept: readonly string[]): string {
  for (let number = 1; ; number++) {
    const role = number === 1 ? 'ichor-kept' : `ichor-kept-${number}`;
    const there = roles.get(role);
    if (there !== undefined && there.join(' ') !== kept.join(' ')) continue;
    roles.set(role, kept);
    return role;
  }
}

/** A role that is there already gets what it lacks. */
const making = (role: string, privileges: readonly string[]): string => {
  const given = `${role} --privs '${privileges.join(' ')}'`;
  return `    pveum role add ${given} 2>/dev/null || pveum role modify ${given} --append 1`;
};

/** What a token may do is what both it and its user may do; a user who has it all is left as it is. */
function subjectOf({ who, user: rights }: Holder, path: string, needed: readonly Grant[]): string {
  const [user = who] = who.split('!');
  if (user === who) return `--users '${user}'`;
  const suffices =
    rights !== undefined && needed.every(({ privileges }) => privileges.every((each) => rights.may(path, each)));
  return suffices ? `--tokens '${who}'` : `--users '${user}' --tokens '${who}'`;
}

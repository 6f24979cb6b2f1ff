import { Problem } from '../../../model/problem.ts';
import { grant } from '../api/permission.ts';
import type { Permissions } from '../permissions.ts';
import type { Grant } from './rights.ts';

/** What is missing of a grant, by path. */
type Lack = {
  readonly grant: Grant;
  readonly missing: readonly { readonly path: string; readonly privileges: readonly string[] }[];
};

/** All that is missing in one problem, with the commands that give it; undefined: nothing is. */
export function lackOf(permissions: Permissions, grants: readonly Grant[], who: string): Problem | undefined {
  const lacks = grants.flatMap((each): readonly Lack[] => {
    const missing = each.paths.flatMap((path) => {
      const privileges = each.privileges.filter((privilege) => !may(permissions, each, path, privilege));
      return privileges.length === 0 ? [] : [{ path, privileges }];
    });
    return missing.length === 0 ? [] : [{ grant: each, missing }];
  });
  if (lacks.length === 0) return undefined;
  const optional = lacks.every((lack) => lack.grant.optional !== undefined);
  const lines = lacks.flatMap(({ grant: { optional: without }, missing }) =>
    missing.map(
      ({ path, privileges }) =>
        `    ${path}: ${privileges.join(' ')}${without === undefined ? '' : ` (without: ${without})`}`,
    ),
  );
  return new Problem('proxmox-permissions', `${who} lacks rights:\n${lines.join('\n')}`, {
    severity: optional ? 'warning' : 'error',
    remedy: [
      'Make these roles and give them, as root on any host (a role that exists is changed by “pveum role modify”):',
      ...lacks.map((lack) =>
        grant(
          lack.grant.role,
          lack.grant.privileges,
          lack.missing.map(({ path }) => path),
          who,
        ),
      ),
    ].join('\n'),
  });
}

const may = (permissions: Permissions, { or }: Grant, path: string, privilege: string): boolean =>
  permissions.may(path, privilege) || (or !== undefined && permissions.may(or, privilege));

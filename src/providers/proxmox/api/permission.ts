import { ApiProblem, type Told } from './problem.ts';
import type { Asked, Right } from './refusals.ts';

const named = /Permission check failed \((\/[^,()]*), ([^()]+)\)/;

/** A right is missing; which one, where, and what root types to give it. */
export function forbidden(asked: Asked, told: Told): ApiProblem {
  const right = rightIn(told.said ?? '') ?? asked.needs;
  const { doing, who } = asked;
  if (right === undefined) {
    return new ApiProblem('proxmox-permission', `${who} may not ${doing}: ${told.said}.`, told, {
      remedy: 'Look what it may do, and what is missing:\n    ichor doctor',
    });
  }
  return new ApiProblem(
    'proxmox-permission',
    `${who} may not ${doing}: it lacks ${right.privilege} on ${right.path}.`,
    told,
    {
      remedy: `Give it that right, as root on any host:\n${grant('ichor-extra', [right.privilege], [right.path], who)}`,
    },
  );
}

/** Where one of several would do, the first is named: it is the narrowest. */
function rightIn(said: string): Right | undefined {
  const [, path, privileges] = named.exec(said) ?? [];
  const privilege = privileges?.split('|')[0];
  return path === undefined || privilege === undefined ? undefined : { path, privilege };
}

/** Commands that make a role and give it to whoever asks, at each path. */
export function grant(role: string, privileges: readonly string[], paths: readonly string[], who: string): string {
  const user = who.split('!')[0] ?? who;
  // What a token may do is what both it and its user may do.
  const subject = user === who ? `--users '${user}'` : `--users '${user}' --tokens '${who}'`;
  return [
    `    pveum role add ${role} --privs '${privileges.join(' ')}'`,
    ...paths.map((path) => `    pveum acl modify ${path} --roles ${role} ${subject}`),
  ].join('\n');
}

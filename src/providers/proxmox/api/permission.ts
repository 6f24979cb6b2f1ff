import { ApiProblem, type Told } from './problem.ts';
import type { Asked, Right } from './refusals.ts';

const named = /Permission check failed \((\/[^,()]*), ([^()]+)\)/;

/**
 * A right is missing: which one, and where. What to type is left to `ichor doctor`: a right that is given at a path takes the
 * place of all that came from above, so that whoever gives one must know which others are needed there.
 */
export function forbidden(asked: Asked, told: Told): ApiProblem {
  const right = rightIn(told.said ?? '') ?? asked.needs;
  const { doing, who } = asked;
  const why = right === undefined ? `${told.said}` : `it lacks ${right.privilege} on ${right.path}`;
  return new ApiProblem('proxmox-permission', `${who} may not ${doing}: ${why}.`, told, {
    remedy:
      'Let ichor say which roles it needs where. A right given at that path alone would take away what comes from above:\n    ichor doctor',
  });
}

/** Where one of several would do, the first is named: it is the narrowest. */
function rightIn(said: string): Right | undefined {
  const [, path, privileges] = named.exec(said) ?? [];
  const privilege = privileges?.split('|')[0];
  return path === undefined || privilege === undefined ? undefined : { path, privilege };
}

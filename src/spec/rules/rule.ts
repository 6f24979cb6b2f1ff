import { Problem, type Severity } from '../../model/problem.ts';
import { formatPath, locate, type Path, type Tree } from '../tree.ts';

export type Said = {
  /** Where it is pointed at, from the root of the document. */
  readonly path: Path;
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly severity?: Severity;
};

/** A rule between fields. It sees a draft, which lacks what is wrong in itself, and is silent about what it cannot see. */
export type Rule<D> = (draft: D) => Iterable<Said>;

/** What one rule finds again and again is enough to see what is meant. */
const mostPerRule = 50;

export const sayAll = <D>(rules: readonly Rule<D>[], draft: D): readonly Said[] =>
  rules.flatMap((rule) => firstOf(rule(draft)));

/** Stops the rule there: the next complaint is not even looked for. */
function firstOf(complaints: Iterable<Said>): readonly Said[] {
  const first: Said[] = [];
  for (const complaint of complaints) {
    if (first.length < mostPerRule) first.push(complaint);
    else {
      const message = `There are more than ${mostPerRule} such problems (${complaint.code}).`;
      return [...first, { ...complaint, code: 'many-more', message, remedy: 'Mend the others first.' }];
    }
  }
  return first;
}

/** What rules say, at its place in the file. */
export function said(tree: Tree, complaints: readonly Said[]): readonly Problem[] {
  return complaints.map(({ path, code, message, remedy, severity }) => {
    const located = locate(tree, path);
    const at = located.node.kind === 'scalar' ? located.node.at : (located.keyAt ?? located.node.at);
    return new Problem(code, message, { at, path: formatPath(path), remedy, ...(severity ? { severity } : {}) });
  });
}

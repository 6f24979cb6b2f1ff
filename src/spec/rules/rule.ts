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

/** What rules say, at its place in the file. */
export function said(tree: Tree, complaints: readonly Said[]): readonly Problem[] {
  return complaints.map(({ path, code, message, remedy, severity }) => {
    const located = locate(tree, path);
    const at = located.node.kind === 'scalar' ? located.node.at : (located.keyAt ?? located.node.at);
    return new Problem(code, message, { at, path: formatPath(path), remedy, ...(severity ? { severity } : {}) });
  });
}

import { Problem, Problems } from '../../model/problem.ts';
import { formatPath, locate, type Path, type Tree } from '../../spec/tree.ts';
import { parseYaml } from '../../spec/yaml.ts';

/** The documents of a file that holds secrets. Nothing that is said about it repeats what is in it. */
export function openSecretFile(text: string, file: string): readonly Tree[] {
  const { documents, problems } = parseYaml({ name: file, content: text });
  if (problems.length > 0) throw new Problems(problems.map(withoutQuotes));
  return documents;
}

/** A key that stands twice is named elsewhere; here a slip may have made a key of a secret. */
const withoutQuotes = (problem: Problem): Problem =>
  problem.code === 'duplicate-key' && problem.at !== undefined
    ? new Problem(problem.code, 'This key is given twice.', { at: problem.at, remedy: problem.remedy })
    : problem;

/** One place where a secret may stand. */
export type Place = { readonly tree: Tree; readonly path: Path };

/** Reads a file’s secrets one by one and gathers everything that is wrong, to be said at once. */
export class Given {
  readonly #remedy: string;
  readonly #problems: Problem[] = [];

  constructor(remedy: string) {
    this.#remedy = remedy;
  }

  /** The first of the places that holds text; when none does, it is missing from the first. */
  text(...places: readonly [Place, ...Place[]]): string {
    const found = this.optional(...places);
    if (found === undefined) this.missing(places[0]);
    return found ?? '';
  }

  optional(...places: readonly Place[]): string | undefined {
    for (const place of places) {
      const { depth, node } = locate(place.tree, place.path);
      if (depth < place.path.length || (node.kind === 'scalar' && (node.value === null || node.value === ''))) continue;
      if (node.kind === 'scalar') return node.written ?? String(node.value);
      this.wrong(place, 'must be text');
      return '';
    }
    return undefined;
  }

  missing(place: Place): void {
    this.#report('secret-missing', place, `${formatPath(place.path)} is missing.`);
  }

  /** `what` finishes a sentence that begins with the path. */
  wrong(place: Place, what: string, remedy = this.#remedy): void {
    this.#report('secret-wrong', place, `${formatPath(place.path)} ${what}.`, remedy);
  }

  /** What was gathered ends the reading. */
  settle<T>(value: T): T {
    if (this.#problems.length > 0) throw new Problems(this.#problems);
    return value;
  }

  #report(code: string, { tree, path }: Place, message: string, remedy = this.#remedy): void {
    const { node, keyAt } = locate(tree, path);
    this.#problems.push(new Problem(code, message, { at: keyAt ?? node.at, path: formatPath(path), remedy }));
  }
}

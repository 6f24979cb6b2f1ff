import { isError, Problem } from '../../model/problem.ts';
import { read } from '../read.ts';
import type { Source } from '../source.ts';
import { parsePath } from '../tree.ts';
import { carryOver, type Carried } from './carry-over.ts';
import { byPlace, type Note } from './foreign.ts';
import { discreet, keepSecretsBack } from './gate.ts';
import { platformFile } from './platform-file.ts';
import { recognise, type Origin } from './recognise.ts';
import type { Sketch } from './sketch.ts';

export type ImportOptions = {
  readonly from?: Origin | undefined;
  /** What the platform is to be called. */
  readonly name?: string | undefined;
  /** What the file will be called, for problems that are about it. */
  readonly target: string;
};

export type Imported = {
  /** Undefined when the foreign file could not be read. */
  readonly file: string | undefined;
  readonly notes: readonly Note[];
  readonly problems: readonly Problem[];
  /** Of the file that came out; foreign files may hold secrets, and no line of them is shown. */
  readonly texts: ReadonlyMap<string, string>;
};

/** Foreign files to a Platform file that our own reader has read. */
export function importPlatform(sources: readonly Source[], options: ImportOptions): Imported {
  const [first] = sources;
  if (first === undefined) throw new Error('There is nothing to import.');
  const origin = options.from ?? recognise(first);
  const carried: Carried =
    origin instanceof Problem ? { notes: [], problems: [origin] } : carryOver(origin, sources, options.name);
  const { sketch } = carried;
  const problems = carried.problems.map(discreet).toSorted(byPlace);
  if (sketch === undefined) return { file: undefined, notes: carried.notes, problems, texts: new Map() };
  const notes = [...carried.notes, ...keepSecretsBack(sketch)];

  const file = platformFile(
    sketch,
    `Written by ichor import from ${sources.map(({ name }) => shortName(name)).join(', ')}.`,
  );
  const reading = read({ sources: [{ name: options.target, content: file }] });
  return {
    file,
    notes,
    problems: [...problems, ...reading.problems.map((problem) => atItsOrigin(problem, sketch))]
      .filter(isNews(notes))
      .toSorted(byPlace),
    texts: reading.texts,
  };
}

const shortName = (name: string): string => (name === '-' ? 'standard input' : (name.split(/[\\/]/).at(-1) ?? name));

/** A warning about something that a note already speaks of would say it twice. */
const isNews =
  (notes: readonly Note[]) =>
  (problem: Problem): boolean =>
    isError(problem) ||
    !notes.some(
      ({ at }) => at && at.file === problem.at?.file && at.line === problem.at.line && at.column === problem.at.column,
    );

/** A person corrects the file they wrote, so a problem of ours is shown there when the value came from there. */
function atItsOrigin(problem: Problem, sketch: Sketch): Problem {
  const { code, message, remedy, severity, path } = problem;
  const [root, ...steps] = parsePath(path ?? '') ?? [];
  const at = root === 'spec' ? sketch.originOf(steps) : undefined;
  return at ? new Problem(code, message, { at, remedy, severity, ...(path === undefined ? {} : { path }) }) : problem;
}

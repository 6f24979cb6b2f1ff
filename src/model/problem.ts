/** What happens next after a failure: the walker tries again, the next pass looks again, a person acts. */
export type Recovery = 'retry' | 'wait' | 'ask';

/** A span in a file a person wrote. Lines and columns count from 1, in characters as an editor shows them. */
export type Position = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How many characters the span has on its first line; at least 1. */
  readonly length: number;
};

export type Severity = 'error' | 'warning';

export type ProblemDetails = {
  readonly recovery?: Recovery;
  readonly severity?: Severity;
  readonly remedy?: string;
  readonly at?: Position;
  readonly path?: string;
  readonly cause?: unknown;
};

/** Something a user can meet: what is wrong, and what to do about it. */
export class Problem extends Error {
  readonly code: string;
  readonly recovery: Recovery;
  readonly severity: Severity;
  readonly remedy: string;
  readonly at: Position | undefined;
  readonly path: string | undefined;

  constructor(code: string, message: string, details: ProblemDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Problem';
    this.code = code;
    this.recovery = details.recovery ?? 'ask';
    this.severity = details.severity ?? 'error';
    this.remedy = details.remedy ?? '';
    this.at = details.at;
    this.path = details.path;
  }
}

export const isError = (problem: Problem): boolean => problem.severity === 'error';

/** Thrown where several problems end a command together; each of them is shown. */
export class Problems extends Error {
  readonly problems: readonly Problem[];
  /** The text of the files they are about, to show the lines. */
  readonly texts: ReadonlyMap<string, string>;

  constructor(problems: readonly Problem[], texts: ReadonlyMap<string, string> = new Map()) {
    super(problems.map((problem) => problem.message).join('\n'));
    this.name = 'Problems';
    this.problems = problems;
    this.texts = texts;
  }
}

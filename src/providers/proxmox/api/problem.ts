import { Problem, type ProblemDetails } from '../../../model/problem.ts';

/**
 * What became of a request that did not succeed. `refused`: the host said no. `not done`: nobody carried it out.
 * `unknown`: it may have happened, so that whoever sent it looks before it is sent again.
 */
export type Fate = 'refused' | 'not done' | 'unknown';

export type Told = {
  readonly fate: Fate;
  /** Goes away by itself: a lock, a busy host. */
  readonly passing: boolean;
  /** Undefined: no answer came. */
  readonly status?: number | undefined;
  /** In the host’s own words, without anything secret. */
  readonly said?: string;
  /** By parameter. */
  readonly errors?: Readonly<Record<string, string>>;
};

/** A problem with what the provider itself needs to know about it. */
export class ApiProblem extends Problem {
  readonly fate: Fate;
  readonly passing: boolean;
  readonly status: number | undefined;
  readonly said: string;
  readonly errors: Readonly<Record<string, string>>;

  constructor(code: string, message: string, told: Told, details: ProblemDetails) {
    super(code, message, details);
    this.fate = told.fate;
    this.passing = told.passing;
    this.status = told.status;
    this.said = told.said ?? '';
    this.errors = told.errors ?? {};
  }
}

/** Whether a problem is one of these, by code. */
export const isProblem = (error: unknown, ...codes: readonly string[]): error is ApiProblem =>
  error instanceof ApiProblem && codes.includes(error.code);

import { Problem, type ProblemDetails } from '../../../model/problem.ts';
import type { StatusDetails } from '../../../wire/kubernetes/objects.ts';

/** What is known of an answer besides its words. */
export type Said = {
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly details: StatusDetails | undefined;
  /** As the server said it, without what is secret. */
  readonly said: string;
  readonly retryAfterMs: number | undefined;
};

/** An API server said no, or nothing. */
export class KubernetesProblem extends Problem {
  readonly told: Said;

  constructor(code: string, message: string, told: Partial<Said>, details: ProblemDetails) {
    super(code, message, details);
    this.told = {
      status: undefined,
      reason: undefined,
      details: undefined,
      said: '',
      retryAfterMs: undefined,
      ...told,
    };
  }
}

/** Who was asked for what; both stand in the sentence that a person reads. */
export type Asked = {
  /** `create Deployment shop/web` */
  readonly doing: string;
  readonly endpoint: string;
  readonly verb: string;
  /** As discovery names it, with its group: `deployments.apps`. */
  readonly resource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** What was sent and must not be repeated to anybody. */
  readonly secrets: readonly string[];
};

export const problemIn = (error: unknown): Problem | undefined => {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof Problem) return at;
  return undefined;
};

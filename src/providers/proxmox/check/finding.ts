import { Problem } from '../../../model/problem.ts';
import type { Finding } from '../../provider.ts';

export type Look = {
  readonly about: string;
  readonly host?: string;
  /** True when it is fine. */
  readonly what: string;
  readonly look: () => Promise<Problem | undefined> | Problem | undefined;
};

/** What cannot be looked at is a finding too: the reason is its problem. */
export async function findingOf({ look, ...rest }: Look): Promise<Finding> {
  try {
    return { ...rest, problem: await look() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...rest, problem: error };
  }
}

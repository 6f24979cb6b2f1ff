import { Problem } from '../../../model/problem.ts';
import type { Finding } from '../../provider.ts';

export type Look = {
  readonly about: string;
  readonly host?: string;
  /** True when it is fine. */
  readonly what: string;
  readonly look: () => Promise<Problem | undefined> | Problem | undefined;
};

/** Where a refused call says to ask the doctor: that is who speaks here, and has said it already. */
export const withRoles = (problem: Problem): Problem =>
  problem.code === 'proxmox-permission'
    ? new Problem(problem.code, problem.message, { remedy: 'Give it the roles that are printed under “permissions”.' })
    : problem;

/** What cannot be looked at is a finding too: the reason is its problem. */
export async function findingOf({ look, ...rest }: Look): Promise<Finding> {
  try {
    return { ...rest, problem: await look() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...rest, problem: withRoles(error) };
  }
}

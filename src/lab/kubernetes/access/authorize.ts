import type { User } from '../api.ts';

/** What somebody wants to do. */
export type Attributes = {
  readonly user: User;
  readonly verb: string;
  readonly resource?:
    | {
        readonly group: string;
        readonly version: string;
        readonly resource: string;
        readonly subresource: string | undefined;
        readonly namespace: string | undefined;
        readonly name: string | undefined;
      }
    | undefined;
  readonly path: string;
};

type Verdict = { readonly isAllowed: boolean; readonly reason: string };

export type Authorizer = (attributes: Attributes) => Verdict;

export const isMaster = ({ groups }: User): boolean => groups.includes('system:masters');

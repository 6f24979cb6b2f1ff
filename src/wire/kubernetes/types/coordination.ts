import type { Types } from '../notation.ts';

/** Who leads, and who is alive. */
export const coordination: Types = {
  Lease: `
    @kind @list
    spec LeaseSpec`,
  LeaseSpec: `
    holderIdentity *string
    leaseDurationSeconds *int32
    acquireTime *microtime
    renewTime *microtime
    leaseTransitions *int32
    strategy *string
    preferredHolder *string`,
};

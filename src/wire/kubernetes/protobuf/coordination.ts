import type { Numbers } from '../protobuf.ts';

export const coordinationNumbers: Numbers = {
  Lease: 'metadata spec',
  LeaseSpec: 'holderIdentity leaseDurationSeconds acquireTime renewTime leaseTransitions strategy preferredHolder',
};

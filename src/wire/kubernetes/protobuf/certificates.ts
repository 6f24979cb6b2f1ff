import type { Numbers } from '../protobuf.ts';

export const certificatesNumbers: Numbers = {
  CertificateSigningRequest: 'metadata spec status',
  CertificateSigningRequestCondition: 'type reason message lastUpdateTime lastTransitionTime status',
  CertificateSigningRequestSpec: 'request username uid groups usages extra signerName expirationSeconds',
  CertificateSigningRequestStatus: 'conditions certificate',
};

import type { Types } from '../notation.ts';

/** Requests to be signed. */
export const certificates: Types = {
  CertificateSigningRequest: `
    @kind @list
    spec! CertificateSigningRequestSpec
    status CertificateSigningRequestStatus`,
  CertificateSigningRequestCondition: `
    type! string
    status! string
    reason string
    message string
    lastUpdateTime time
    lastTransitionTime time`,
  CertificateSigningRequestSpec: `
    request! bytes
    signerName! string
    expirationSeconds *int32
    usages []KeyUsage atomic
    username string
    uid string
    groups []string atomic
    extra {}[]string`,
  CertificateSigningRequestStatus: `
    conditions []CertificateSigningRequestCondition by=type
    certificate bytes`,
  KeyUsage: `
    @enum any | cert sign | client auth | code signing | content commitment | crl sign | data encipherment |
      decipher only | digital signature | email protection | encipher only | ipsec end system | ipsec tunnel |
      ipsec user | key agreement | key encipherment | microsoft sgc | netscape sgc | ocsp signing | s/mime |
      server auth | signing | timestamping`,
};

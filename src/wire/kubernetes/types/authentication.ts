import type { Types } from '../notation.ts';

/** Who somebody is. */
export const authentication: Types = {
  BoundObjectReference: `
    kind string
    apiVersion string
    name string
    uid string`,
  SelfSubjectReview: `
    @kind
    status SelfSubjectReviewStatus`,
  SelfSubjectReviewStatus: 'userInfo UserInfo',
  TokenRequest: `
    @kind
    spec TokenRequestSpec written
    status TokenRequestStatus`,
  TokenRequestSpec: `
    audiences []string written atomic
    expirationSeconds *int64 written
    boundObjectRef *BoundObjectReference written`,
  TokenRequestStatus: `
    token string written
    expirationTimestamp time written`,
  TokenReview: `
    @kind
    spec! TokenReviewSpec
    status TokenReviewStatus`,
  TokenReviewSpec: `
    token string required
    audiences []string atomic`,
  TokenReviewStatus: `
    authenticated bool
    user UserInfo
    audiences []string atomic
    error string`,
  UserInfo: `
    username string
    uid string
    groups []string atomic
    extra {}[]string`,
};

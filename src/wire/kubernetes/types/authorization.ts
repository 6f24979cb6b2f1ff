import type { Types } from '../notation.ts';

/** What somebody may do. */
export const authorization: Types = {
  FieldSelectorAttributes: `
    rawSelector string
    requirements []meta.FieldSelectorRequirement atomic`,
  LabelSelectorAttributes: `
    rawSelector string
    requirements []meta.LabelSelectorRequirement atomic`,
  LocalSubjectAccessReview: `
    @kind
    spec! SubjectAccessReviewSpec
    status SubjectAccessReviewStatus`,
  NonResourceAttributes: `
    path string
    verb string`,
  NonResourceRule: `
    verbs! []string atomic
    nonResourceURLs []string atomic`,
  ResourceAttributes: `
    namespace string
    verb string
    group string
    version string
    resource string
    subresource string
    name string
    fieldSelector *FieldSelectorAttributes
    labelSelector *LabelSelectorAttributes`,
  ResourceRule: `
    verbs! []string atomic
    apiGroups []string atomic
    resources []string atomic
    resourceNames []string atomic`,
  SelfSubjectAccessReview: `
    @kind
    spec! SelfSubjectAccessReviewSpec
    status SubjectAccessReviewStatus`,
  SelfSubjectAccessReviewSpec: `
    resourceAttributes *ResourceAttributes
    nonResourceAttributes *NonResourceAttributes`,
  SelfSubjectRulesReview: `
    @kind
    spec! SelfSubjectRulesReviewSpec
    status SubjectRulesReviewStatus`,
  SelfSubjectRulesReviewSpec: 'namespace string',
  SubjectAccessReview: `
    @kind
    spec! SubjectAccessReviewSpec
    status SubjectAccessReviewStatus`,
  SubjectAccessReviewSpec: `
    resourceAttributes *ResourceAttributes
    nonResourceAttributes *NonResourceAttributes
    user string
    groups []string atomic
    extra {}[]string
    uid string`,
  SubjectAccessReviewStatus: `
    allowed! bool
    denied bool
    reason string
    evaluationError string`,
  SubjectRulesReviewStatus: `
    resourceRules! []ResourceRule atomic
    nonResourceRules! []NonResourceRule atomic
    incomplete! bool
    evaluationError string`,
};

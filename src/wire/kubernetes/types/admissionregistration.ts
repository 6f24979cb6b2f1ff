import type { Types } from '../notation.ts';

/** Webhooks and policies that judge what is written. */
export const admissionregistration: Types = {
  ApplyConfiguration: 'expression string',
  AuditAnnotation: `
    key! string
    valueExpression! string`,
  ExpressionWarning: `
    fieldRef! string
    warning! string`,
  FailurePolicyType: '@enum Fail | Ignore',
  JSONPatch: 'expression string',
  MatchCondition: `
    name! string
    expression! string`,
  MatchPolicyType: '@enum Equivalent | Exact',
  MatchResources: `
    @atomic
    namespaceSelector *meta.LabelSelector
    objectSelector *meta.LabelSelector
    resourceRules []NamedRuleWithOperations atomic
    excludeResourceRules []NamedRuleWithOperations atomic
    matchPolicy *MatchPolicyType`,
  MutatingAdmissionPolicy: `
    @kind @list
    spec MutatingAdmissionPolicySpec`,
  MutatingAdmissionPolicyBinding: `
    @kind @list
    spec MutatingAdmissionPolicyBindingSpec`,
  MutatingAdmissionPolicyBindingSpec: `
    policyName string
    paramRef *ParamRef
    matchResources *MatchResources`,
  MutatingAdmissionPolicySpec: `
    paramKind *ParamKind
    matchConstraints *MatchResources
    variables []Variable atomic
    mutations []Mutation atomic
    failurePolicy *FailurePolicyType
    matchConditions []MatchCondition by=name merge
    reinvocationPolicy ReinvocationPolicyType`,
  MutatingWebhook: `
    name! string
    clientConfig! WebhookClientConfig
    rules []RuleWithOperations atomic
    failurePolicy *FailurePolicyType
    matchPolicy *MatchPolicyType
    namespaceSelector *meta.LabelSelector
    objectSelector *meta.LabelSelector
    sideEffects! *SideEffectClass
    timeoutSeconds *int32
    admissionReviewVersions! []string atomic
    reinvocationPolicy *ReinvocationPolicyType
    matchConditions []MatchCondition by=name merge`,
  MutatingWebhookConfiguration: `
    @kind @list
    webhooks []MutatingWebhook by=name merge`,
  Mutation: `
    patchType! PatchType
    applyConfiguration *ApplyConfiguration
    jsonPatch *JSONPatch`,
  NamedRuleWithOperations: `
    @atomic
    resourceNames []string atomic
    operations []OperationType atomic
    apiGroups []string atomic
    apiVersions []string atomic
    resources []string atomic
    scope *ScopeType`,
  OperationType: '@enum * | CONNECT | CREATE | DELETE | UPDATE',
  ParamKind: `
    @atomic
    apiVersion string
    kind string`,
  ParamRef: `
    @atomic
    name string
    namespace string
    selector *meta.LabelSelector
    parameterNotFoundAction *string`,
  PatchType: '@enum ApplyConfiguration | JSONPatch',
  ReinvocationPolicyType: '@enum IfNeeded | Never',
  RuleWithOperations: `
    operations []OperationType atomic
    apiGroups []string atomic
    apiVersions []string atomic
    resources []string atomic
    scope *ScopeType`,
  ScopeType: '@enum * | Cluster | Namespaced',
  ServiceReference: `
    namespace! string
    name! string
    path *string
    port *int32`,
  SideEffectClass: '@enum None | NoneOnDryRun | Some | Unknown',
  TypeChecking: 'expressionWarnings []ExpressionWarning atomic',
  ValidatingAdmissionPolicy: `
    @kind @list
    spec ValidatingAdmissionPolicySpec
    status ValidatingAdmissionPolicyStatus`,
  ValidatingAdmissionPolicyBinding: `
    @kind @list
    spec ValidatingAdmissionPolicyBindingSpec required`,
  ValidatingAdmissionPolicyBindingSpec: `
    policyName string required
    paramRef *ParamRef
    matchResources *MatchResources
    validationActions []ValidationAction required set`,
  ValidatingAdmissionPolicySpec: `
    paramKind *ParamKind
    matchConstraints *MatchResources
    validations []Validation atomic
    failurePolicy *FailurePolicyType
    auditAnnotations []AuditAnnotation atomic
    matchConditions []MatchCondition by=name merge
    variables []Variable by=name merge`,
  ValidatingAdmissionPolicyStatus: `
    observedGeneration int64
    typeChecking *TypeChecking
    conditions []meta.Condition by=type`,
  ValidatingWebhook: `
    name! string
    clientConfig! WebhookClientConfig
    rules []RuleWithOperations atomic
    failurePolicy *FailurePolicyType
    matchPolicy *MatchPolicyType
    namespaceSelector *meta.LabelSelector
    objectSelector *meta.LabelSelector
    sideEffects! *SideEffectClass
    timeoutSeconds *int32
    admissionReviewVersions! []string atomic
    matchConditions []MatchCondition by=name merge`,
  ValidatingWebhookConfiguration: `
    @kind @list
    webhooks []ValidatingWebhook by=name merge`,
  Validation: `
    expression! string
    message string
    reason *string
    messageExpression string`,
  ValidationAction: '@enum Audit | Deny | Warn',
  Variable: `
    @atomic
    name! string
    expression! string`,
  WebhookClientConfig: `
    url *string
    service *ServiceReference
    caBundle bytes`,
};

import type { Types } from '../notation.ts';

/** Who waits for whom. */
export const flowcontrol: Types = {
  ExemptPriorityLevelConfiguration: `
    nominalConcurrencyShares *int32
    lendablePercent *int32`,
  FlowDistinguisherMethod: 'type! string',
  FlowSchema: `
    @kind @list
    spec FlowSchemaSpec
    status FlowSchemaStatus`,
  FlowSchemaCondition: `
    type string
    status string
    lastTransitionTime time
    reason string
    message string`,
  FlowSchemaSpec: `
    priorityLevelConfiguration! PriorityLevelConfigurationReference
    matchingPrecedence int32 written
    distinguisherMethod *FlowDistinguisherMethod
    rules []PolicyRulesWithSubjects atomic`,
  FlowSchemaStatus: 'conditions []FlowSchemaCondition by=type merge',
  GroupSubject: 'name! string',
  LimitResponse: `
    type! string
    queuing *QueuingConfiguration`,
  LimitedPriorityLevelConfiguration: `
    nominalConcurrencyShares *int32 written
    limitResponse LimitResponse
    lendablePercent *int32
    borrowingLimitPercent *int32`,
  NonResourcePolicyRule: `
    verbs! []string set
    nonResourceURLs! []string set`,
  PolicyRulesWithSubjects: `
    subjects! []Subject atomic
    resourceRules []ResourcePolicyRule atomic
    nonResourceRules []NonResourcePolicyRule atomic`,
  PriorityLevelConfiguration: `
    @kind @list
    spec PriorityLevelConfigurationSpec
    status PriorityLevelConfigurationStatus`,
  PriorityLevelConfigurationCondition: `
    type string
    status string
    lastTransitionTime time
    reason string
    message string`,
  PriorityLevelConfigurationReference: 'name! string',
  PriorityLevelConfigurationSpec: `
    type! string
    limited *LimitedPriorityLevelConfiguration
    exempt *ExemptPriorityLevelConfiguration`,
  PriorityLevelConfigurationStatus: 'conditions []PriorityLevelConfigurationCondition by=type merge',
  QueuingConfiguration: `
    queues int32 written
    handSize int32 written
    queueLengthLimit int32 written`,
  ResourcePolicyRule: `
    verbs! []string set
    apiGroups! []string set
    resources! []string set
    clusterScope bool
    namespaces []string written set`,
  ServiceAccountSubject: `
    namespace! string
    name! string`,
  Subject: `
    kind! string
    user *UserSubject
    group *GroupSubject
    serviceAccount *ServiceAccountSubject`,
  UserSubject: 'name! string',
};

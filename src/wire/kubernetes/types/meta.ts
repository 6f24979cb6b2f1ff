import type { Types } from '../notation.ts';

/** What all kinds share. */
export const meta: Types = {
  APIGroup: `
    @typed
    name! string
    versions! []GroupVersionForDiscovery atomic
    preferredVersion GroupVersionForDiscovery
    serverAddressByClientCIDRs []ServerAddressByClientCIDR atomic`,
  APIGroupList: `
    @typed
    groups! []APIGroup atomic`,
  APIResource: `
    name! string
    singularName! string
    namespaced! bool
    group string
    version string
    kind! string
    verbs! []string
    shortNames []string atomic
    categories []string atomic
    storageVersionHash string`,
  APIResourceList: `
    @typed
    groupVersion! string
    resources! []APIResource atomic`,
  APIVersions: `
    @typed
    versions! []string atomic
    serverAddressByClientCIDRs! []ServerAddressByClientCIDR atomic`,
  Condition: `
    type! string
    status! string
    observedGeneration int64
    lastTransitionTime! time
    reason! string
    message! string`,
  DeleteOptions: `
    @typed
    gracePeriodSeconds *int64
    preconditions *Preconditions
    orphanDependents *bool
    propagationPolicy *string
    dryRun []string atomic
    ignoreStoreReadErrorWithClusterBreakingPotential *bool`,
  FieldSelectorRequirement: `
    key! string
    operator! string
    values []string atomic`,
  GroupVersionForDiscovery: `
    groupVersion! string
    version! string`,
  LabelSelector: `
    @atomic
    matchLabels {}string
    matchExpressions []LabelSelectorRequirement atomic`,
  LabelSelectorRequirement: `
    key! string
    operator! string
    values []string atomic`,
  ListMeta: `
    selfLink string
    resourceVersion string
    continue string
    remainingItemCount *int64
    shardInfo *ShardInfo`,
  ManagedFieldsEntry: `
    manager string
    operation string
    apiVersion string
    time *time
    fieldsType string
    fieldsV1 *fields
    subresource string`,
  ObjectMeta: `
    name string
    generateName string
    namespace string
    selfLink string
    uid string
    resourceVersion string
    generation int64
    creationTimestamp time omitzero
    deletionTimestamp *time
    deletionGracePeriodSeconds *int64
    labels {}string
    annotations {}string
    ownerReferences []OwnerReference by=uid merge
    finalizers []string set merge
    managedFields []ManagedFieldsEntry atomic`,
  OwnerReference: `
    @atomic
    apiVersion! string
    kind! string
    name! string
    uid! string
    controller *bool
    blockOwnerDeletion *bool`,
  Patch: '',
  Preconditions: `
    uid *string
    resourceVersion *string`,
  ServerAddressByClientCIDR: `
    clientCIDR! string
    serverAddress! string`,
  ShardInfo: 'selector! string',
  Status: `
    @typed
    metadata ListMeta
    status string
    message string
    reason string
    details *StatusDetails
    code int32`,
  StatusCause: `
    reason string
    message string
    field string`,
  StatusDetails: `
    name string
    group string
    kind string
    uid string
    causes []StatusCause atomic
    retryAfterSeconds int32`,
  WatchEvent: `
    type! string
    object! raw`,
};

export const version: Types = {
  Info: `
    major! string
    minor! string
    emulationMajor string
    emulationMinor string
    minCompatibilityMajor string
    minCompatibilityMinor string
    gitVersion! string
    gitCommit! string
    gitTreeState! string
    buildDate! string
    goVersion! string
    compiler! string
    platform! string`,
};

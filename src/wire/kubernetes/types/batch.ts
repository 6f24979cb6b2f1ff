import type { Types } from '../notation.ts';

/** Work that ends. */
export const batch: Types = {
  CompletionMode: '@enum Indexed | NonIndexed',
  ConcurrencyPolicy: '@enum Allow | Forbid | Replace',
  CronJob: `
    @kind @list
    spec CronJobSpec required
    status CronJobStatus`,
  CronJobSpec: `
    schedule! string
    timeZone *string
    startingDeadlineSeconds *int64
    concurrencyPolicy ConcurrencyPolicy
    suspend *bool
    jobTemplate! JobTemplateSpec
    successfulJobsHistoryLimit *int32
    failedJobsHistoryLimit *int32`,
  CronJobStatus: `
    active []core.ObjectReference atomic
    lastScheduleTime *time
    lastSuccessfulTime *time`,
  Job: `
    @kind @list
    spec JobSpec
    status JobStatus`,
  JobCondition: `
    type! string
    status! string
    lastProbeTime time
    lastTransitionTime time
    reason string
    message string`,
  JobSpec: `
    parallelism *int32
    completions *int32
    activeDeadlineSeconds *int64
    podFailurePolicy *PodFailurePolicy
    successPolicy *SuccessPolicy
    backoffLimit *int32
    backoffLimitPerIndex *int32
    maxFailedIndexes *int32
    selector *meta.LabelSelector
    manualSelector *bool
    template! core.PodTemplateSpec
    ttlSecondsAfterFinished *int32
    completionMode *CompletionMode
    suspend *bool
    podReplacementPolicy *PodReplacementPolicy
    managedBy *string`,
  JobStatus: `
    conditions []JobCondition atomic merge=type
    startTime *time
    completionTime *time
    active int32
    succeeded int32
    failed int32
    terminating *int32
    completedIndexes string
    failedIndexes *string
    uncountedTerminatedPods *UncountedTerminatedPods
    ready *int32`,
  JobTemplateSpec: `
    metadata meta.ObjectMeta
    spec JobSpec`,
  PodFailurePolicy: 'rules! []PodFailurePolicyRule atomic',
  PodFailurePolicyAction: '@enum Count | FailIndex | FailJob | Ignore',
  PodFailurePolicyOnExitCodesOperator: '@enum In | NotIn',
  PodFailurePolicyOnExitCodesRequirement: `
    containerName *string
    operator! PodFailurePolicyOnExitCodesOperator
    values! []int32 set`,
  PodFailurePolicyOnPodConditionsPattern: `
    type! string
    status string written`,
  PodFailurePolicyRule: `
    action! PodFailurePolicyAction
    onExitCodes *PodFailurePolicyOnExitCodesRequirement
    onPodConditions []PodFailurePolicyOnPodConditionsPattern atomic`,
  PodReplacementPolicy: '@enum Failed | TerminatingOrFailed',
  SuccessPolicy: 'rules! []SuccessPolicyRule atomic',
  SuccessPolicyRule: `
    succeededIndexes *string
    succeededCount *int32`,
  UncountedTerminatedPods: `
    succeeded []string set
    failed []string set`,
};

import type { Types } from '../notation.ts';

/** Devices, and claims to them. */
export const resource: Types = {
  AllocatedDeviceStatus: `
    driver! string
    pool! string
    device! string
    shareID *string
    conditions []meta.Condition written by=type
    data *raw
    networkData *NetworkDeviceData`,
  AllocationConfigSource: '@enum FromClaim | FromClass',
  AllocationResult: `
    devices DeviceAllocationResult
    nodeSelector *core.NodeSelector
    allocationTimestamp *time`,
  CELDeviceSelector: 'expression! string',
  CapacityRequestPolicy: `
    default *quantity written
    validValues []quantity atomic
    validRange *CapacityRequestPolicyRange`,
  CapacityRequestPolicyRange: `
    min *quantity required
    max *quantity
    step *quantity`,
  CapacityRequirements: 'requests {}quantity',
  Counter: 'value! quantity',
  CounterSet: `
    name! string
    counters {}Counter required`,
  Device: `
    name! string
    attributes {}DeviceAttribute
    capacity {}DeviceCapacity
    consumesCounters []DeviceCounterConsumption atomic
    nodeName *string
    nodeSelector *core.NodeSelector
    allNodes *bool
    taints []DeviceTaint atomic
    bindsToNode *bool
    bindingConditions []string atomic
    bindingFailureConditions []string atomic
    allowMultipleAllocations *bool
    nodeAllocatableResourceMappings {}NodeAllocatableResourceMapping`,
  DeviceAllocationConfiguration: `
    source! AllocationConfigSource
    requests []string atomic
    opaque *OpaqueDeviceConfiguration`,
  DeviceAllocationMode: '@enum All | ExactCount',
  DeviceAllocationResult: `
    results []DeviceRequestAllocationResult atomic
    config []DeviceAllocationConfiguration atomic`,
  DeviceAttribute: `
    int *int64
    bool *bool
    string *string
    version *string
    ints []int64 atomic
    bools []bool atomic
    strings []string atomic
    versions []string atomic`,
  DeviceCapacity: `
    value! quantity
    requestPolicy *CapacityRequestPolicy`,
  DeviceClaim: `
    requests []DeviceRequest written atomic
    constraints []DeviceConstraint atomic
    config []DeviceClaimConfiguration atomic`,
  DeviceClaimConfiguration: `
    requests []string atomic
    opaque *OpaqueDeviceConfiguration`,
  DeviceClass: `
    @kind @list
    spec! DeviceClassSpec`,
  DeviceClassConfiguration: 'opaque *OpaqueDeviceConfiguration',
  DeviceClassSpec: `
    selectors []DeviceSelector atomic
    config []DeviceClassConfiguration atomic
    extendedResourceName *string`,
  DeviceConstraint: `
    requests []string atomic
    matchAttribute *string
    distinctAttribute *string`,
  DeviceCounterConsumption: `
    counterSet! string
    counters {}Counter required`,
  DeviceRequest: `
    name! string
    exactly *ExactDeviceRequest
    firstAvailable []DeviceSubRequest atomic`,
  DeviceRequestAllocationResult: `
    request! string
    driver! string
    pool! string
    device! string
    adminAccess *bool
    tolerations []DeviceToleration atomic
    bindingConditions []string atomic
    bindingFailureConditions []string atomic
    shareID *string
    consumedCapacity {}quantity`,
  DeviceSelector: 'cel *CELDeviceSelector',
  DeviceSubRequest: `
    name! string
    deviceClassName! string
    selectors []DeviceSelector atomic
    allocationMode DeviceAllocationMode
    count int64
    tolerations []DeviceToleration atomic
    capacity *CapacityRequirements`,
  DeviceTaint: `
    key! string
    value string
    effect! DeviceTaintEffect
    timeAdded *time`,
  DeviceTaintEffect: '@enum NoExecute | NoSchedule | None',
  DeviceToleration: `
    key string
    operator DeviceTolerationOperator = "Equal"
    value string
    effect DeviceTaintEffect
    tolerationSeconds *int64`,
  DeviceTolerationOperator: '@enum Equal | Exists',
  ExactDeviceRequest: `
    deviceClassName! string
    selectors []DeviceSelector atomic
    allocationMode DeviceAllocationMode
    count int64
    adminAccess *bool
    tolerations []DeviceToleration atomic
    capacity *CapacityRequirements`,
  NetworkDeviceData: `
    interfaceName string
    ips []string atomic
    hardwareAddress string`,
  NodeAllocatableResourceMapping: `
    capacityKey *string
    allocationMultiplier *quantity`,
  OpaqueDeviceConfiguration: `
    driver! string
    parameters! raw`,
  ResourceClaim: `
    @kind @list
    spec! ResourceClaimSpec
    status ResourceClaimStatus`,
  ResourceClaimConsumerReference: `
    apiGroup string
    resource! string
    name! string
    uid! string`,
  ResourceClaimSpec: 'devices DeviceClaim written',
  ResourceClaimStatus: `
    allocation *AllocationResult
    reservedFor []ResourceClaimConsumerReference by=uid merge
    devices []AllocatedDeviceStatus by=driver,device,pool,shareID`,
  ResourceClaimTemplate: `
    @kind @list
    spec! ResourceClaimTemplateSpec`,
  ResourceClaimTemplateSpec: `
    metadata meta.ObjectMeta
    spec! ResourceClaimSpec`,
  ResourcePool: `
    name! string
    generation! int64
    resourceSliceCount! int64`,
  ResourceSlice: `
    @kind @list
    spec! ResourceSliceSpec`,
  ResourceSliceSpec: `
    driver! string
    pool! ResourcePool
    nodeName *string
    nodeSelector *core.NodeSelector
    allNodes *bool
    devices []Device atomic
    perDeviceNodeSelection *bool
    sharedCounters []CounterSet atomic`,
};

import type { Types } from '../notation.ts';

/** Where volumes come from. */
export const storage: Types = {
  CSIDriver: `
    @kind @list
    spec! CSIDriverSpec`,
  CSIDriverSpec: `
    attachRequired *bool
    podInfoOnMount *bool
    volumeLifecycleModes []string set
    storageCapacity *bool
    fsGroupPolicy *string
    tokenRequests []TokenRequest atomic
    requiresRepublish *bool
    seLinuxMount *bool
    nodeAllocatableUpdatePeriodSeconds *int64
    serviceAccountTokenInSecrets *bool
    preventPodSchedulingIfMissing *bool`,
  CSINode: `
    @kind @list
    spec! CSINodeSpec`,
  CSINodeDriver: `
    name! string
    nodeID! string
    topologyKeys []string written atomic
    allocatable *VolumeNodeResources`,
  CSINodeSpec: 'drivers! []CSINodeDriver by=name merge',
  CSIStorageCapacity: `
    @kind @list
    nodeTopology *meta.LabelSelector
    storageClassName! string
    capacity *quantity
    maximumVolumeSize *quantity`,
  StorageClass: `
    @kind @list
    provisioner! string
    parameters {}string
    reclaimPolicy *core.PersistentVolumeReclaimPolicy
    mountOptions []string atomic
    allowVolumeExpansion *bool
    volumeBindingMode *VolumeBindingMode
    allowedTopologies []core.TopologySelectorTerm atomic`,
  TokenRequest: `
    audience! string
    expirationSeconds *int64`,
  VolumeAttachment: `
    @kind @list
    spec! VolumeAttachmentSpec
    status VolumeAttachmentStatus`,
  VolumeAttachmentSource: `
    persistentVolumeName *string
    inlineVolumeSpec *core.PersistentVolumeSpec`,
  VolumeAttachmentSpec: `
    attacher! string
    source! VolumeAttachmentSource
    nodeName! string`,
  VolumeAttachmentStatus: `
    attached! bool
    attachmentMetadata {}string
    attachError *VolumeError
    detachError *VolumeError`,
  VolumeAttributesClass: `
    @kind @list
    driverName! string
    parameters {}string`,
  VolumeBindingMode: '@enum Immediate | WaitForFirstConsumer',
  VolumeError: `
    time time
    message string
    errorCode *int32`,
  VolumeNodeResources: 'count *int32',
};

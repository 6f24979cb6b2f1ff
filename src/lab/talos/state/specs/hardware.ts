import { flag, list, text, whole, word } from './kind.ts';
import { at, nested, shape, sparse } from './shape.ts';
import { encryptionProviders, filesystems, volumePhases, volumeTypes } from './words.ts';

export const systemInformation = shape({
  manufacturer: sparse(1, text),
  productName: sparse(2, text),
  version: sparse(3, text),
  serialnumber: sparse(4, text),
  uuid: sparse(5, text),
  wakeUpType: sparse(6, text),
  skuNumber: sparse(7, text),
});

export const processor = shape({
  socket: sparse(1, text),
  manufacturer: sparse(2, text),
  productName: sparse(3, text),
  maxSpeedMhz: sparse(4, whole),
  bootSpeedMhz: sparse(5, whole),
  status: sparse(6, whole),
  serialNumber: sparse(7, text),
  assetTag: sparse(8, text),
  partNumber: sparse(9, text),
  coreCount: sparse(10, whole),
  coreEnabled: sparse(11, whole),
  threadCount: sparse(12, whole),
});

export const memoryModule = shape({
  sizeMiB: sparse(1, whole),
  deviceLocator: sparse(2, text),
  bankLocator: sparse(3, text),
  speed: sparse(4, whole),
  manufacturer: sparse(5, text),
  serialNumber: sparse(6, text),
  assetTag: sparse(7, text),
  productName: sparse(8, text),
});

export const disk = shape({
  dev_path: at(14, text),
  size: at(1, whole),
  pretty_size: at(15, text),
  io_size: at(2, whole),
  sector_size: at(3, whole),
  readonly: at(4, flag),
  cdrom: at(13, flag),
  model: sparse(5, text),
  serial: sparse(6, text),
  modalias: sparse(7, text),
  wwid: sparse(8, text),
  uuid: sparse(17, text),
  bus_path: sparse(9, text),
  sub_system: sparse(10, text),
  transport: sparse(11, text),
  rotational: sparse(12, flag),
  secondary_disks: sparse(16, list(text)),
  symlinks: sparse(18, list(text)),
});

export const systemDisk = shape({ diskID: at(1, text), devPath: at(2, text) });

export const discoveredVolume = shape({
  dev_path: at(17, text),
  type: at(14, text),
  device_path: at(15, text),
  parent: sparse(16, text),
  parent_dev_path: sparse(18, text),
  offset: at(20, whole),
  size: at(1, whole),
  pretty_size: at(19, text),
  sector_size: sparse(2, whole),
  io_size: sparse(3, whole),
  name: at(4, text),
  uuid: sparse(5, text),
  label: sparse(6, text),
  block_size: sparse(7, whole),
  filesystem_block_size: sparse(8, whole),
  probed_size: sparse(9, whole),
  partition_uuid: sparse(10, text),
  partition_type: sparse(11, text),
  partition_label: sparse(12, text),
  partition_index: sparse(13, whole),
});

const mountSpec = shape({
  targetPath: at(1, text),
  selinuxLabel: at(2, text),
  projectQuotaSupport: at(3, flag),
  parentId: sparse(4, text),
  fileMode: sparse(5, whole),
  uid: sparse(6, whole),
  gid: sparse(7, whole),
  recursiveRelabel: sparse(8, flag),
});

export const volumeStatus = shape({
  phase: at(1, word(volumePhases, 'waiting')),
  preFailPhase: sparse(6, word(volumePhases, 'waiting')),
  type: at(16, word(volumeTypes, 'partition')),
  parentID: sparse(19, text),
  location: sparse(2, text),
  mountLocation: sparse(11, text),
  partitionIndex: sparse(8, whole),
  parentLocation: sparse(7, text),
  uuid: sparse(4, text),
  partitionUUID: sparse(5, text),
  size: sparse(9, whole),
  prettySize: sparse(13, text),
  filesystem: sparse(10, word(filesystems, 'none')),
  encryptionProvider: sparse(12, word(encryptionProviders, 'none')),
  encryptionFailedSyncs: sparse(14, list(text)),
  configuredEncryptionKeys: sparse(17, list(text)),
  encryptionLockedToState: sparse(20, flag),
  mountSpec: sparse(15, nested(mountSpec)),
  errorMessage: sparse(3, text),
});

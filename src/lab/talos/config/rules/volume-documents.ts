import type { Size } from '../decode-scalars.ts';
import type { Values } from '../reading.ts';
import type { DocumentRule } from './network-documents.ts';
import { flagAt, quote, section, sectionsAt, textAt, type Report } from './report.ts';

/** As long as a partition’s label allows, with the prefix that Talos puts in front. */
const longest: Readonly<Record<string, number>> = {
  UserVolumeConfig: 34,
  RawVolumeConfig: 34,
  SwapVolumeConfig: 34,
  ExternalVolumeConfig: 34,
};

function checkName(document: Values, kind: string, { errors }: Report): void {
  const name = textAt(document, 'name');
  const limit = longest[kind];
  if (name === '') errors.push('name is required');
  if (limit !== undefined && (name === '' || Buffer.byteLength(name) > limit))
    errors.push(`name must be between 1 and ${limit} characters long`);
  if (/[^a-zA-Z0-9-]/.test(name))
    errors.push('name can only contain lowercase and uppercase ASCII letters, digits, and hyphens');
}

const sizesOf = (
  provisioning: Values | undefined,
): { readonly least: Size | undefined; readonly most: Size | undefined } => ({
  least: provisioning?.['minSize'] as Size | undefined,
  most: provisioning?.['maxSize'] as Size | undefined,
});

const isEmpty = (provisioning: Values | undefined): boolean => {
  const { least, most } = sizesOf(provisioning);
  const matched = section(provisioning, 'diskSelector')?.['match'];
  return provisioning?.['grow'] === undefined && least === undefined && most === undefined && matched === undefined;
};

function checkProvisioning(
  provisioning: Values | undefined,
  required: boolean,
  sized: boolean,
  { errors }: Report,
): void {
  const { least, most } = sizesOf(provisioning);
  if (required && section(provisioning, 'diskSelector')?.['match'] === undefined)
    errors.push('disk selector is required');
  if (!sized) {
    if (least !== undefined || most !== undefined || provisioning?.['grow'] !== undefined)
      errors.push('min size, max size and grow are not supported');
    return;
  }
  if (least !== undefined && most !== undefined && !most.relative && !most.negative) {
    if (least.bytes > most.bytes) errors.push('min size is greater than max size');
  } else if (required && least === undefined && most === undefined) errors.push('min size or max size is required');
  if (least?.negative === true) errors.push('min size cannot be negative');
}

const encryptionIsEmpty = (encryption: Values | undefined): boolean =>
  (encryption?.['provider'] ?? 'none') === 'none' && sectionsAt(encryption, 'keys').length === 0;

function checkEncryption(encryption: Values | undefined, { errors }: Report): void {
  if (encryptionIsEmpty(encryption)) return;
  const provider = (encryption?.['provider'] as string | undefined) ?? 'none';
  const keys = sectionsAt(encryption, 'keys');
  if (provider !== 'luks2') errors.push(`unsupported encryption provider: ${provider}`);
  if (keys.length === 0) errors.push('encryption keys are required');
  const seen = new Set<number>();
  for (const key of keys) {
    const slot = Number(key?.['slot'] ?? 0);
    if (seen.has(slot)) errors.push(`duplicate key slot ${slot}`);
    seen.add(slot);
    if (['static', 'nodeID', 'kms', 'tpm'].every((kind) => key?.[kind] === undefined))
      errors.push(`at least one encryption key type must be specified for slot ${slot}`);
    const pcrs =
      (section(section(key ?? undefined, 'tpm'), 'options')?.['pcrs'] as readonly bigint[] | undefined) ?? [];
    for (const pcr of pcrs) if (pcr < 0n || pcr > 23n) errors.push(`TPM PCR ${pcr} is out of range (0-23)`);
  }
}

function checkFilesystem(filesystem: Values | undefined, { errors }: Report): void {
  const type = (filesystem?.['type'] as string | undefined) ?? 'none';
  if (!['none', 'xfs', 'ext4'].includes(type)) errors.push(`unsupported filesystem type: ${type}`);
  else if (flagAt(filesystem, 'projectQuotaSupport') && type === 'ext4')
    errors.push('project quota support is only available for xfs filesystem');
}

const system: DocumentRule = (document, report) => {
  const { errors } = report;
  const name = textAt(document, 'name');
  if (!['STATE', 'EPHEMERAL', 'IMAGECACHE'].includes(name)) {
    errors.push('only ["STATE" "EPHEMERAL" "IMAGECACHE"] volumes are supported');
    return;
  }
  const provisioning = section(document, 'provisioning');
  if (name === 'STATE') {
    if (!isEmpty(provisioning)) errors.push('provisioning config is not allowed for the "STATE" volume');
    for (const key of sectionsAt(section(document, 'encryption'), 'keys'))
      if (key?.['lockToState'] === true) errors.push('state-locked key is not allowed for the "STATE" volume');
  }
  checkProvisioning(provisioning, false, true, report);
  checkEncryption(section(document, 'encryption'), report);
};

const user: DocumentRule = (document, report) => {
  checkName(document, 'UserVolumeConfig', report);
  const type = (document['volumeType'] as string | undefined) ?? 'partition';
  const part = (key: string): Values | undefined => section(document, key);
  if (type === 'directory') {
    const given = {
      provisioning: !isEmpty(part('provisioning')),
      encryption: !encryptionIsEmpty(part('encryption')),
      filesystem:
        (part('filesystem')?.['type'] ?? 'none') !== 'none' ||
        part('filesystem')?.['projectQuotaSupport'] !== undefined,
      mount: Object.keys(part('mount') ?? {}).length > 0,
    };
    for (const [key, there] of Object.entries(given))
      if (there) report.errors.push(`${key} spec is invalid for volumeType directory`);
  } else if (type === 'disk' || type === 'partition') {
    checkProvisioning(part('provisioning'), true, type === 'partition', report);
    checkFilesystem(part('filesystem'), report);
    checkEncryption(part('encryption'), report);
  } else report.errors.push(`unsupported volume type ${quote(type)}`);
};

const sized =
  (kind: string): DocumentRule =>
  (document, report) => {
    checkName(document, kind, report);
    checkProvisioning(section(document, 'provisioning'), true, true, report);
    checkEncryption(section(document, 'encryption'), report);
  };

const existing: DocumentRule = (document, report) => {
  checkName(document, 'ExistingVolumeConfig', report);
  if (section(section(document, 'discovery'), 'volumeSelector')?.['match'] === undefined)
    report.errors.push('volume selector is required');
};

const external: DocumentRule = (document, report) => {
  checkName(document, 'ExternalVolumeConfig', report);
  const type = (document['filesystemType'] as string | undefined) ?? 'none';
  const virtiofs = section(section(document, 'mount'), 'virtiofs');
  if (type !== 'virtiofs') report.errors.push(`invalid filesystem type: ${type}`);
  else if (virtiofs === undefined) report.errors.push('virtiofs mount spec is required');
  else if (textAt(virtiofs, 'tag') === '') report.errors.push('virtiofs tag is required');
};

const zswap: DocumentRule = (document, { errors }) => {
  const percent = document['maxPoolPercent'] as bigint | undefined;
  if (percent !== undefined && (percent < 0n || percent > 100n))
    errors.push('maxPoolPercent must be between 0 and 100');
};

export const volumeRules: Readonly<Record<string, readonly DocumentRule[]>> = {
  VolumeConfig: [system],
  UserVolumeConfig: [user],
  RawVolumeConfig: [sized('RawVolumeConfig')],
  SwapVolumeConfig: [sized('SwapVolumeConfig')],
  ExistingVolumeConfig: [existing],
  ExternalVolumeConfig: [external],
  ZswapConfig: [zswap],
};

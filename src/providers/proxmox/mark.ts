import type { Role } from '../../model/machine.ts';
import type { Mark } from '../provider.ts';
import { listOf, textOf, type Row } from './api/row.ts';
import { propertiesOf } from './property.ts';

/** Says that a VM is one of ours; with the platform’s own tag it is found without reading every configuration. */
export const ourTag = 'ichor';
export const platformTag = (platform: string): string => `${ourTag}-${platform}`;

export const tagsFor = (mark: Mark, role: Role, further: readonly string[]): readonly string[] =>
  [...new Set([ourTag, platformTag(mark.platform), role, ...further.map((tag) => tag.toLowerCase())])].toSorted();

/** What people read in Proxmox’s own interface; the last line is ours. */
export const descriptionFor = (mark: Mark, role: Role, vmid: number): string =>
  [
    `### ${mark.name}`,
    '',
    `${role === 'control-plane' ? 'Control plane' : 'Worker'} of the platform **${mark.platform}**, made and kept by ichor.`,
    'ichor looks for the line below, the tags and the UUID before it touches this machine: leave them as they are.',
    '',
    lineFor(mark, vmid),
  ].join('\n');

const lineFor = (mark: Mark, vmid: number): string =>
  `\`ichor platform=${mark.platform} machine=${mark.name} uuid=${mark.uuid} vmid=${vmid}\``;

const line = /`ichor platform=(\S+) machine=(\S+) uuid=([0-9a-fA-F-]{36}) vmid=(\d+)`/;

/** Who a VM says it is; the VMID tells it from a copy that somebody restored beside it. */
export type Written = { readonly mark: Mark; readonly vmid: number };

export function writtenIn(config: Row): Written | undefined {
  const [, platform, name, uuid, vmid] = line.exec(textOf(config, 'description') ?? '') ?? [];
  if (platform === undefined || name === undefined || uuid === undefined) return undefined;
  return { mark: { platform, name, uuid: uuid.toLowerCase() }, vmid: Number(vmid) };
}

/** The same notes with our line at their end, and no other line of ours. */
export const notesWith = (config: Row, mark: Mark, vmid: number): string =>
  [(textOf(config, 'description') ?? '').replace(line, '').trim(), lineFor(mark, vmid)].filter(Boolean).join('\n\n');

export const uuidIn = (config: Row): string | undefined =>
  propertiesOf(textOf(config, 'smbios1') ?? '', 'uuid')
    .get('uuid')
    ?.toLowerCase();

export type MarkPart = 'the UUID' | 'the line in its notes' | 'the tags';

/** What of a proof is missing; nothing: it is the machine. */
export function lacking(config: Row, vmid: number, mark: Mark): readonly MarkPart[] {
  const written = writtenIn(config);
  const says = written?.mark;
  const tags = listOf(config, 'tags').map((tag) => tag.toLowerCase());
  const uuid = mark.uuid.toLowerCase();
  const same =
    says?.platform === mark.platform && says.name === mark.name && says.uuid === uuid && written?.vmid === vmid;
  return [
    ...(uuidIn(config) === uuid ? [] : (['the UUID'] as const)),
    ...(same ? [] : (['the line in its notes'] as const)),
    ...(tags.includes(ourTag) && tags.includes(platformTag(mark.platform)) ? [] : (['the tags'] as const)),
  ];
}

/** One that we were about to finish: made by us beyond doubt, and the tags may still come. */
export const isOursToFinish = (config: Row, vmid: number, mark: Mark): boolean =>
  lacking(config, vmid, mark).every((part) => part === 'the tags');

/** As long as a VM is made, its configuration is a lock and nothing else. */
export const isInTheMaking = (config: Row): boolean =>
  textOf(config, 'lock') === 'create' && textOf(config, 'smbios1') === undefined;

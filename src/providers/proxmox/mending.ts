import type { Damage, Mark } from '../../model/observed.ts';
import { textOf, type Row } from './api/row.ts';
import { lacking, notesWith, ourTag, platformTag, type MarkPart } from './mark.ts';

type Found = { readonly host: string; readonly vmid: number; readonly config: Row };

/** What root runs on a VM that lost a part of its mark, or never had it; the rest of what is there stays. */
export function markAgain({ host, vmid, config }: Found, mark: Mark, parts: readonly MarkPart[]): string {
  const tags = [...new Set([textOf(config, 'tags')?.trim() ?? '', ourTag, platformTag(mark.platform)])].filter(Boolean);
  const options = [
    ...(parts.includes('the UUID') ? [`--smbios1 uuid=${mark.uuid}`] : []),
    ...(parts.includes('the tags') ? [`--tags ${quoted(tags.join(';'))}`] : []),
    ...(parts.includes('the line in its notes') ? [`--description ${quoted(notesWith(config, mark, vmid))}`] : []),
  ];
  return `ssh root@${host} qm set ${vmid} ${options.join(' ')}`;
}

export function damageOf(found: Found, mark: Mark): Damage {
  const parts = lacking(found.config, found.vmid, mark);
  return { lacking: parts, restore: markAgain(found, mark, parts) };
}

/** For a shell on the other side of ssh, too. */
const quoted = (text: string): string =>
  `"$'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll(/["$`\\]/g, '\\$&')}'"`;

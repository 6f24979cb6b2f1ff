import { createHash } from 'node:crypto';
import type { ConfigFile } from '../../vm.ts';

type Section = ReadonlyMap<string, string>;

/** A configuration file as Proxmox writes it: its SHA-1 is the digest that clients get. */
export function printConfig(file: ConfigFile): string {
  const pending: Section =
    file.toDelete.size === 0 ? file.pending : new Map([...file.pending, ['delete', printToDelete(file.toDelete)]]);
  return [
    printSection(file.config),
    pending.size === 0 ? '' : `\n[PENDING]\n${printSection(pending, '#\n')}`,
    file.cloudInitDrift.size === 0 ? '' : `\n[special:cloudinit]\n${printSection(file.cloudInitDrift)}`,
    ...[...file.snapshots]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, section]) => `\n[${name}]\n${printSection(section)}`),
  ].join('');
}

export const digestOf = (text: string): string => createHash('sha1').update(text).digest('hex');

function printSection(section: Section, emptyDescription = ''): string {
  const description = section.get('description');
  const keys = [...section.keys()].filter((key) => key !== 'description').sort();
  return (
    (description === undefined ? '' : description === '' ? emptyDescription : printDescription(description)) +
    keys.map((key) => `${key}: ${section.get(key)}\n`).join('')
  );
}

const printDescription = (description: string): string =>
  description
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => `#${encodeText(line)}\n`)
    .join('');

/** Everything but printable ASCII, `%` and `:` is percent-encoded. */
const encodeText = (line: string): string =>
  [...Buffer.from(line, 'utf8')]
    .map((byte) => {
      const safe = byte >= 0x20 && byte <= 0x7e && byte !== 0x25 && byte !== 0x3a;
      return safe ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;
    })
    .join('');

const decodeText = (text: string): string =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** An exclamation mark stands before what is destroyed and not only detached. */
const printToDelete = (toDelete: ReadonlyMap<string, 'detach' | 'destroy'>): string =>
  [...toDelete]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, how]) => (how === 'destroy' ? `!${key}` : key))
    .join(',');

const parseToDelete = (text: string): Map<string, 'detach' | 'destroy'> =>
  new Map(text.split(',').map((each) => (each.startsWith('!') ? [each.slice(1), 'destroy'] : [each, 'detach'])));

export const emptyFile = (): ConfigFile => ({
  config: new Map(),
  pending: new Map(),
  toDelete: new Map(),
  cloudInitDrift: new Map(),
  snapshots: new Map(),
});

/** What is read back is not always what was written: blanks at the ends are lost, and an empty value is a blank. */
export function parseConfig(text: string): ConfigFile {
  const file = emptyFile();
  let section = file.config;
  const descriptions = new Map<Map<string, string>, string[]>();
  for (const line of text.split('\n')) {
    const name = /^\[(.+)\]\s*$/.exec(line)?.[1];
    if (name !== undefined) section = sectionOf(file, name);
    else if (line.startsWith('#'))
      descriptions.set(section, [...(descriptions.get(section) ?? []), decodeText(line.slice(1))]);
    else readLine(file, section, line);
  }
  for (const [each, lines] of descriptions) each.set('description', lines.join('\n').trimEnd());
  return file;
}

function sectionOf(file: ConfigFile, name: string): Map<string, string> {
  if (name === 'PENDING') return file.pending;
  if (name === 'special:cloudinit') return file.cloudInitDrift;
  const section = new Map<string, string>();
  file.snapshots.set(name, section);
  return section;
}

function readLine(file: ConfigFile, section: Map<string, string>, line: string): void {
  const [, key, value] = /^([a-z][a-z_-]*\d*):\s*(.+?)\s*$/.exec(line) ?? [];
  if (key === undefined || value === undefined) return;
  if (key === 'delete' && section === file.pending) {
    for (const [each, how] of parseToDelete(value)) file.toDelete.set(each, how);
  } else section.set(key, value);
}

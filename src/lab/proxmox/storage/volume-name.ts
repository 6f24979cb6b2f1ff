import { died } from '../refusal.ts';
import type { ContentType } from '../storage.ts';
import { rootOf, type StorageDefinition } from './definition.ts';
import { storageKinds, type StorageType } from './kinds.ts';

/** What the name of a volume says about it. */
export type VolumeName = {
  readonly content: ContentType;
  /** The last part of it. */
  readonly file: string;
  readonly vmid: number | undefined;
  readonly format: string;
};

/** Splits `local:iso/x.iso`; undefined: it is no id of a volume. */
export function parseVolumeId(volid: string): { readonly storage: string; readonly name: string } | undefined {
  const parts = /^([a-z][a-z0-9\-_.]*[a-z0-9]):(.+)$/i.exec(volid);
  return parts === null ? undefined : { storage: parts[1] ?? '', name: parts[2] ?? '' };
}

/** Refuses names that the type of the storage cannot have. */
export function parseVolumeName(type: StorageType, name: string): VolumeName {
  const { word } = storageKinds[type];
  const parsed = word === 'directory' ? directoryName(name) : deviceName(type, name);
  if (parsed === undefined) throw died(`unable to parse ${word} volume name '${name}'`);
  return parsed;
}

const iso = /^iso\/([^/]+\.(?:iso|img))$/i;
const template = /^vztmpl\/([^/]+\.(?:tar(?!\.)|tar\.(?:gz|xz|zst|bz2)))$/i;
const backup = /^backup\/([^/]+\.(?:tgz|(?:tar|vma)(?:\.(?:gz|lzo|zst|bz2))?))$/;
const snippet = /^snippets\/([^/]+)$/;
const imported = /^import\/([ a-zA-Z0-9\-.+=_]+\.(ova|ovf|qcow2|raw|vmdk))$/;

function directoryName(name: string): VolumeName | undefined {
  const linked = /^\d+\/\S+\/(\d+)\/(\S+)$/.exec(name) ?? /^(\d+)\/(\S+)$/.exec(name);
  if (linked !== null) return diskFile(Number(linked[1]), linked[2] ?? '');
  const file = (content: ContentType, parts: RegExpExecArray | null, format = 'raw'): VolumeName | undefined =>
    parts === null ? undefined : { content, file: parts[1] ?? '', vmid: undefined, format };
  const archive = backup.exec(name);
  if (archive !== null) {
    const owner = /^vzdump-(?:openvz|lxc|qemu)-(\d+)-./.exec(archive[1] ?? '')?.[1];
    return {
      content: 'backup',
      file: archive[1] ?? '',
      vmid: owner === undefined ? undefined : Number(owner),
      format: 'raw',
    };
  }
  const image = imported.exec(name);
  return (
    file('iso', iso.exec(name)) ??
    file('vztmpl', template.exec(name)) ??
    file('snippets', snippet.exec(name)) ??
    file('import', image, image?.[2])
  );
}

function diskFile(vmid: number, file: string): VolumeName {
  if (/^snap-.*\.qcow2$/.test(file)) throw died(`'${file}' is a snapshot filename, not a volume!`);
  const format = /^[^/\s]+\.(raw|qcow2|vmdk|subvol)$/.exec(file)?.[1];
  if (format === undefined) throw died(`unable to parse volume filename '${file}'`);
  return { content: 'images', file, vmid, format };
}

const devices: Readonly<Record<'lvm' | 'lvmthin' | 'zfspool' | 'rbd', RegExp>> = {
  lvm: /^(vm-(\d+)-\S+)$/,
  lvmthin: /^((?:vm|base)-(\d+)-\S+)$/,
  zfspool: /^(?:(?:base|basevol)-\d+-\S+\/)?((?:base|basevol|vm|subvol)-(\d+)-\S+)$/,
  rbd: /^(?:base-\d+-\S+\/)?((?:base|vm)-(\d+)-\S+)$/,
};

function deviceName(type: StorageType, name: string): VolumeName | undefined {
  const parts = type === 'dir' || type === 'nfs' ? null : devices[type].exec(name);
  if (parts === null) return undefined;
  const file = parts[1] ?? '';
  return {
    content: 'images',
    file,
    vmid: Number(parts[2]),
    format: /^(?:basevol|subvol)-/.test(file) ? 'subvol' : 'raw',
  };
}

/** Folders of a storage that has files. */
export const folders: Readonly<Record<ContentType, string>> = {
  images: 'images',
  rootdir: 'private',
  iso: 'template/iso',
  vztmpl: 'template/cache',
  backup: 'dump',
  snippets: 'snippets',
  import: 'import',
};

/** Where a volume is, as logs and messages show it. */
export function volumePath(definition: StorageDefinition, name: string): string {
  const { content, file, vmid } = parseVolumeName(definition.type, name);
  const root = rootOf(definition);
  if (!storageKinds[definition.type].files) return `${root}/${file}`;
  return content === 'images' ? `${root}/images/${vmid}/${file}` : `${root}/${folders[content]}/${file}`;
}

/** The name of a disk of a VM; `title` is `disk-0` or `cloudinit`. */
export const diskName = (type: StorageType, vmid: number, title: string, format: string): string =>
  diskFileName(type, vmid, `vm-${vmid}-${title}`, format);

/** With its folder and ending, where the storage has them. */
export const diskFileName = (type: StorageType, vmid: number, file: string, format: string): string =>
  storageKinds[type].files ? `${vmid}/${file}.${format}` : file;

/** As it is called when others are clones of it. */
export const baseName = (name: string): string => name.replace(/(^|\/)vm-(?=[^/]*$)/, '$1base-');

/** A clone has the name of what it is linked to before its own, where the name is all that tells. */
export function linkedName(type: StorageType, base: string, vmid: number, title: string): string {
  const own = diskName(type, vmid, title, 'qcow2');
  return type === 'lvmthin' || type === 'lvm' ? own : `${base}/${own}`;
}

export const isLinkedTo = (name: string, base: string): boolean => name.startsWith(`${base}/`);

/** `disk-0` …: numbers are given again as soon as they are free. */
export function nextTitle(
  volumes: Iterable<{ readonly name: string; readonly vmid: number | undefined }>,
  vmid: number,
): string {
  const taken = new Set<number>();
  for (const volume of volumes) {
    const number = /-disk-(\d+)(?:\.\w+)?$/.exec(volume.name)?.[1];
    if (volume.vmid === vmid && number !== undefined) taken.add(Number(number));
  }
  let number = 0;
  while (taken.has(number)) number++;
  return `disk-${number}`;
}

import type { NewDisk, Volume, Written } from '../storage.ts';
import type { StorageDefinition } from './definition.ts';
import { storageKinds } from './kinds.ts';

/** A volume before it is on a storage. */
export type NewVolume = Pick<Volume, 'name' | 'bytes' | 'fileBytes' | 'written'>;

const sector = 512;
/** What a file system gives at least. */
const block = 4096;

/** The format that was asked for where the storage has it, else its own. */
export function formatFor(
  { type }: StorageDefinition,
  { format, purpose }: Pick<NewDisk, 'format' | 'purpose'>,
): string {
  const { formats, files } = storageKinds[type];
  if (format !== undefined && formats.includes(format)) return format;
  return purpose === 'cloudinit' && files ? 'qcow2' : 'raw';
}

export function grained({ type }: StorageDefinition, bytes: number): number {
  const { grainBytes } = storageKinds[type];
  return Math.ceil(bytes / grainBytes) * grainBytes;
}

export const inSectors = (bytes: number): number => Math.ceil(bytes / sector) * sector;

export const inBlocks = (bytes: number): number => Math.ceil(bytes / block) * block;

export const nothingWritten = (): Written => ({ head: undefined, fileName: undefined, state: new Map() });

/** What is on a disk, for one that has a memory of its own from now on. */
export const copyOf = ({ head, fileName, state }: Written): Written => ({ head, fileName, state: new Map(state) });

export function emptyDisk(definition: StorageDefinition, name: string, wanted: number): NewVolume {
  const bytes = grained(definition, wanted);
  return { name, bytes, fileBytes: Math.min(block, bytes), written: nothingWritten() };
}

/** As large as its source in whole sectors, and with everything that is on it. */
export function copiedDisk(definition: StorageDefinition, name: string, source: Volume): NewVolume {
  const bytes = grained(definition, inSectors(source.bytes));
  const fileBytes = Math.min(bytes, inBlocks(source.fileBytes));
  return { name, bytes, fileBytes, written: copyOf(source.written) };
}

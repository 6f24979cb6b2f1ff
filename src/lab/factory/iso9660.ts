const sector = 2048;

/** Sectors of the file, after the sixteen that belong to nobody. */
const place = { primary: 16, terminator: 17, littlePaths: 18, bigPaths: 19, root: 20, file: 21 } as const;

/** A CD with one file in its root directory. */
export function iso9660Image(label: string, fileName: string, content: Uint8Array): Buffer {
  const sectors = place.file + Math.max(1, Math.ceil(content.length / sector));
  const file = Buffer.alloc(sectors * sector);
  const at = (index: number): number => index * sector;

  descriptor(file.subarray(at(place.primary)), 1);
  descriptor(file.subarray(at(place.terminator)), 255);
  primary(file.subarray(at(place.primary)), label, sectors);
  // One directory, which is its own parent: number, extent, parent, and an empty name.
  file.set([1, 0, place.root, 0, 0, 0, 1, 0], at(place.littlePaths));
  file.set([1, 0, 0, 0, 0, place.root, 0, 1], at(place.bigPaths));
  const entries = [
    entry('\u0000', place.root, sector, true),
    entry('\u0001', place.root, sector, true),
    entry(`${fileName};1`, place.file, content.length, false),
  ];
  Buffer.concat(entries).copy(file, at(place.root));
  file.set(content, at(place.file));
  return file;
}

function descriptor(here: Buffer, type: number): void {
  here.writeUInt8(type, 0);
  here.write('CD001', 1, 'latin1');
  here.writeUInt8(1, 6);
}

function primary(here: Buffer, label: string, sectors: number): void {
  here.fill(' ', 8, 72);
  here.write('LINUX', 8, 'latin1');
  here.write(label.slice(0, 32), 40, 'latin1');
  both32(here, 80, sectors);
  both16(here, 120, 1);
  both16(here, 124, 1);
  both16(here, 128, sector);
  both32(here, 132, 8);
  here.writeUInt32LE(place.littlePaths, 140);
  here.writeUInt32BE(place.bigPaths, 148);
  entry('\u0000', place.root, sector, true).copy(here, 156);
  here.fill(' ', 190, 813);
  for (const date of [813, 830, 847, 864]) here.write('0000000000000000', date, 'latin1');
  here.writeUInt8(1, 881);
}

/** A directory record; its length is even. */
function entry(name: string, extent: number, bytes: number, directory: boolean): Buffer {
  const length = 33 + name.length + (name.length % 2 === 0 ? 1 : 0);
  const record = Buffer.alloc(length);
  record.writeUInt8(length, 0);
  both32(record, 2, extent);
  both32(record, 10, bytes);
  // The first of January 2026.
  record.set([126, 1, 1, 0, 0, 0, 0], 18);
  record.writeUInt8(directory ? 2 : 0, 25);
  both16(record, 28, 1);
  record.writeUInt8(name.length, 32);
  record.write(name, 33, 'latin1');
  return record;
}

/** Numbers stand twice: little end first, then big end first. */
function both16(here: Buffer, at: number, value: number): void {
  here.writeUInt16LE(value, at);
  here.writeUInt16BE(value, at + 2);
}

function both32(here: Buffer, at: number, value: number): void {
  here.writeUInt32LE(value, at);
  here.writeUInt32BE(value, at + 4);
}

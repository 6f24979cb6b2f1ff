/**
 * A small ISO 9660 image: files in one directory, with the names twice, as every system reads them (`USER_DATA.;1`) and as they
 * really are (Joliet, which Linux prefers).
 */
type IsoFile = { readonly name: string; readonly content: Uint8Array };

export type IsoOptions = {
  /** Name of the volume; who looks for it compares it sign by sign, whatever ISO 9660 says about lower case. */
  readonly label: string;
  readonly files: readonly IsoFile[];
  readonly at: Date;
};

const sector = 2048;
const firstDescriptor = 16;
/** Descriptors: primary, Joliet, end. Then four path tables of a sector each, then the two directories. */
const pathTables = firstDescriptor + 3;
const directories = pathTables + 4;
const firstFile = directories + 2;

type Extent = { readonly at: number; readonly bytes: number };
type Placed = IsoFile & Extent;

export function isoOf({ label, files, at }: IsoOptions): Uint8Array {
  const placed = place(files);
  const last = placed.at(-1);
  const sectors = last === undefined ? firstFile : last.at + sectorsOf(last.bytes);
  const image = new Uint8Array(sectors * sector);
  const write = (index: number, bytes: Uint8Array): void => image.set(bytes, index * sector);
  names.forEach((name, index) => {
    const directory = { at: directories + index, bytes: sector };
    write(firstDescriptor + index, descriptor({ label, at, sectors, directory, index, name }));
    write(pathTables + index * 2, pathTable(directory.at, 'little'));
    write(pathTables + index * 2 + 1, pathTable(directory.at, 'big'));
    write(directory.at, directoryOf(directory, placed, name, at));
  });
  write(firstDescriptor + 2, terminator());
  for (const { at: index, content } of placed) write(index, content);
  return image;
}

/** How a name is written in one of the two trees. */
type Naming = {
  readonly joliet: boolean;
  readonly file: (name: string) => Uint8Array;
  readonly text: (name: string, length: number) => Uint8Array;
};

const plain: Naming = {
  joliet: false,
  file: (name) => Buffer.from(`${name.toUpperCase().replaceAll(/[^A-Z0-9.]/g, '_')}${name.includes('.') ? '' : '.'};1`),
  text: (name, length) => Buffer.from(name.padEnd(length, ' ').slice(0, length)),
};
const joliet: Naming = {
  joliet: true,
  file: (name) => wide(name),
  text: (name, length) =>
    Buffer.concat([wide(name.padEnd(length / 2, ' ').slice(0, Math.floor(length / 2))), Buffer.alloc(length % 2)]),
};
const names: readonly Naming[] = [plain, joliet];

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

const sectorsOf = (bytes: number): number => Math.ceil(bytes / sector);

function place(files: readonly IsoFile[]): readonly Placed[] {
  let next = firstFile;
  return files.map((file) => {
    const at = next;
    next += sectorsOf(file.content.length);
    return { ...file, at, bytes: file.content.length };
  });
}

type Volume = {
  readonly label: string;
  readonly at: Date;
  readonly sectors: number;
  readonly directory: Extent;
  readonly index: number;
  readonly name: Naming;
};

function descriptor({ label, at, sectors, directory, index, name }: Volume): Uint8Array {
  const bytes = Buffer.alloc(sector);
  bytes[0] = name.joliet ? 2 : 1;
  bytes.write('CD001', 1);
  bytes[6] = 1;
  bytes.set(name.text('LINUX', 32), 8);
  bytes.set(name.text(label, 32), 40);
  both32(bytes, 80, sectors);
  // Joliet, level 3: names of 64 signs in UCS-2.
  if (name.joliet) bytes.write('%/E', 88);
  both16(bytes, 120, 1);
  both16(bytes, 124, 1);
  both16(bytes, 128, sector);
  both32(bytes, 132, pathTableBytes);
  bytes.writeUInt32LE(pathTables + index * 2, 140);
  bytes.writeUInt32BE(pathTables + index * 2 + 1, 148);
  bytes.set(record(directory, Buffer.from([0]), true, at), 156);
  for (const [offset, length] of [
    [190, 128],
    [318, 128],
    [446, 128],
    [574, 128],
    [702, 37],
    [739, 37],
    [776, 37],
  ] as const) {
    bytes.set(name.text('', length), offset);
  }
  bytes.write(longDate(at), 813);
  bytes.write(longDate(at), 830);
  bytes.write(noDate, 847);
  bytes.write(longDate(at), 864);
  bytes[881] = 1;
  return bytes;
}

function terminator(): Uint8Array {
  const bytes = Buffer.alloc(sector);
  bytes[0] = 255;
  bytes.write('CD001', 1);
  bytes[6] = 1;
  return bytes;
}

const pathTableBytes = 10;

/** Only the root, which is its own parent. */
function pathTable(directory: number, order: 'little' | 'big'): Uint8Array {
  const bytes = Buffer.alloc(pathTableBytes);
  bytes[0] = 1;
  if (order === 'little') {
    bytes.writeUInt32LE(directory, 2);
    bytes.writeUInt16LE(1, 6);
  } else {
    bytes.writeUInt32BE(directory, 2);
    bytes.writeUInt16BE(1, 6);
  }
  return bytes;
}

/** Itself, its parent (which is itself too), then the files in the order of their names. */
function directoryOf(own: Extent, files: readonly Placed[], name: Naming, at: Date): Uint8Array {
  const entries = files
    .map((file) => ({ file, identifier: Buffer.from(name.file(file.name)) }))
    .toSorted((one, other) => Buffer.compare(one.identifier, other.identifier))
    .map(({ file, identifier }) => record(file, identifier, false, at));
  const bytes = Buffer.concat([
    record(own, Buffer.from([0]), true, at),
    record(own, Buffer.from([1]), true, at),
    ...entries,
  ]);
  if (bytes.length > sector) throw new Error('These files need more than one sector of names.');
  return bytes;
}

function record(
  { at: location, bytes: length }: Extent,
  identifier: Uint8Array,
  directory: boolean,
  at: Date,
): Uint8Array {
  const size = 33 + identifier.length;
  const bytes = Buffer.alloc(size + (size % 2));
  bytes[0] = bytes.length;
  both32(bytes, 2, location);
  both32(bytes, 10, length);
  bytes.set(
    [
      at.getUTCFullYear() - 1900,
      at.getUTCMonth() + 1,
      at.getUTCDate(),
      at.getUTCHours(),
      at.getUTCMinutes(),
      at.getUTCSeconds(),
      0,
    ],
    18,
  );
  bytes[25] = directory ? 2 : 0;
  both16(bytes, 28, 1);
  bytes[32] = identifier.length;
  bytes.set(identifier, 33);
  return bytes;
}

function both32(bytes: Buffer, offset: number, value: number): void {
  bytes.writeUInt32LE(value, offset);
  bytes.writeUInt32BE(value, offset + 4);
}

function both16(bytes: Buffer, offset: number, value: number): void {
  bytes.writeUInt16LE(value, offset);
  bytes.writeUInt16BE(value, offset + 2);
}

const longDate = (at: Date): string =>
  `${at
    .toISOString()
    .replaceAll(/[-T:.Z]/g, '')
    .slice(0, 16)}\0`;
const noDate = `${'0'.repeat(16)}\0`;

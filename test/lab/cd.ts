const sector = 2048;

/** A small CD with Rock Ridge and Joliet names, as `genisoimage -R -J` lays it out. */
export function aCd(label: string, files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) }));
  const at = { primary: 16, joliet: 17, end: 18, root: 19, jolietRoot: 20, first: 21 };
  const extents = entries.map((_, index) =>
    entries.slice(0, index).reduce((sum, { content }) => sum + sectors(content), at.first),
  );
  const image = Buffer.alloc((at.first + entries.reduce((sum, { content }) => sum + sectors(content), 0)) * sector);
  const put = (where: number, bytes: Buffer): void => void bytes.copy(image, where * sector);
  put(at.primary, descriptor(1, label.padEnd(32), at.root));
  put(at.joliet, descriptor(2, label.padEnd(16), at.jolietRoot));
  put(at.end, Buffer.from([255, ...Buffer.from('CD001'), 1]));
  const self = (root: number): Buffer[] => [0, 1].map((name) => record(Buffer.from([name]), root, sector, true));
  put(
    at.root,
    Buffer.concat([
      ...self(at.root),
      ...entries.map(({ name, content }, index) =>
        record(Buffer.from(`FILE${index}.;1`), extents[index] ?? 0, content.length, false, name),
      ),
    ]),
  );
  put(
    at.jolietRoot,
    Buffer.concat([
      ...self(at.jolietRoot),
      ...entries.map(({ name, content }, index) =>
        record(wide(`${name};1`), extents[index] ?? 0, content.length, false),
      ),
    ]),
  );
  for (const [index, { content }] of entries.entries()) put(extents[index] ?? 0, content);
  return image;
}

const sectors = (content: Buffer): number => Math.max(1, Math.ceil(content.length / sector));
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

function descriptor(type: 1 | 2, label: string, root: number): Buffer {
  const bytes = Buffer.alloc(sector);
  bytes.set([type, ...Buffer.from('CD001'), 1]);
  (type === 1 ? Buffer.from(label) : wide(label)).copy(bytes, 40);
  if (type === 2) bytes.write('%/E', 88, 'latin1');
  record(Buffer.from([0]), root, sector, true).copy(bytes, 156);
  return bytes;
}

/** With its other name in the part for the system’s own use. */
function record(name: Buffer, extent: number, bytes: number, directory: boolean, rockRidge?: string): Buffer {
  const other = rockRidge === undefined ? Buffer.alloc(0) : Buffer.from(rockRidge);
  const use = rockRidge === undefined ? 0 : 5 + other.length;
  const own = 33 + name.length + (name.length % 2 === 0 ? 1 : 0);
  const length = own + use + ((own + use) % 2);
  const made = Buffer.alloc(length);
  made.writeUInt8(length, 0);
  made.writeUInt32LE(extent, 2);
  made.writeUInt32LE(bytes, 10);
  made.writeUInt8(directory ? 2 : 0, 25);
  made.writeUInt8(name.length, 32);
  name.copy(made, 33);
  if (rockRidge !== undefined) {
    made.set([...Buffer.from('NM'), use, 1, 0], own);
    other.copy(made, own + 5);
  }
  return made;
}

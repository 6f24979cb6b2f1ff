const sector = 2048;
const firstDescriptor = 16;

/** What is in the root of a CD. */
export type CdRoot = { readonly label: string; readonly files: ReadonlyMap<string, Uint8Array> };

/** Reads the beginning of a CD; files that lie beyond it are absent. Undefined: it is none. */
export function readCd(bytes: Uint8Array): CdRoot | undefined {
  const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const descriptors = descriptorsOf(image);
  const primary = descriptors.find((each) => each[0] === 1);
  if (primary === undefined) return undefined;
  // As Linux mounts it: Rock Ridge names if there are any, else Joliet’s, else plain ones in lower case.
  const own = records(image, primary);
  const joliet = descriptors.find((each) => each[0] === 2 && /^%\/[@CE]/.test(each.toString('latin1', 88, 91)));
  const rocky = own.some((record) => rockRidgeName(image, record) !== undefined);
  const names = rocky || joliet === undefined ? own : records(image, joliet);
  const files = new Map<string, Uint8Array>();
  for (const record of names) {
    const name = rocky ? rockRidgeName(image, record) : joliet === undefined ? plainName(record) : jolietName(record);
    const content = contentOf(image, record);
    if (name !== undefined && content !== undefined) files.set(name, content);
  }
  return { label: primary.toString('latin1', 40, 72).trimEnd(), files };
}

/** One after the other until the terminator. */
function descriptorsOf(image: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = firstDescriptor * sector; at + sector <= image.length; at += sector) {
    const descriptor = image.subarray(at, at + sector);
    if (descriptor.toString('latin1', 1, 6) !== 'CD001' || descriptor[0] === 255) break;
    found.push(descriptor);
  }
  return found;
}

/** Directory records of the root, without itself and its parent. */
function records(image: Buffer, descriptor: Buffer): readonly Buffer[] {
  const directory = contentOf(image, descriptor.subarray(156, 190)) ?? Buffer.alloc(0);
  const found: Buffer[] = [];
  for (let at = 0; at < directory.length;) {
    const length = directory[at] ?? 0;
    // No record goes over the end of a sector; the rest of it is empty.
    if (length === 0) at = (Math.floor(at / sector) + 1) * sector;
    else {
      found.push(directory.subarray(at, at + length));
      at += length;
    }
  }
  return found.slice(2).filter((record) => ((record[25] ?? 0) & 2) === 0);
}

function contentOf(image: Buffer, record: Buffer): Buffer | undefined {
  const start = record.readUInt32LE(2) * sector;
  const end = start + record.readUInt32LE(10);
  return end <= image.length ? image.subarray(start, end) : undefined;
}

const identifier = (record: Buffer): Buffer => record.subarray(33, 33 + (record[32] ?? 0));

const withoutVersion = (name: string): string => name.replace(/;\d+$/, '').replace(/\.$/, '');

const plainName = (record: Buffer): string => withoutVersion(identifier(record).toString('latin1')).toLowerCase();

const jolietName = (record: Buffer): string =>
  withoutVersion(Buffer.from(identifier(record)).swap16().toString('utf16le'));

/** The alternate name in the part of a record that is for the system’s own use. */
function rockRidgeName(image: Buffer, record: Buffer): string | undefined {
  const named = record[32] ?? 0;
  const start = 33 + named + (named % 2 === 0 ? 1 : 0);
  const parts = systemUse(image, record.subarray(start)).filter((entry) => entry.toString('latin1', 0, 2) === 'NM');
  if (parts.length === 0) return undefined;
  return Buffer.concat(parts.map((part) => part.subarray(5))).toString('utf8');
}

/** Entries of that part; it can go on elsewhere. */
function systemUse(image: Buffer, area: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 4 <= area.length;) {
    const length = area[at + 2] ?? 0;
    if (length < 4) break;
    const entry = area.subarray(at, at + length);
    found.push(entry);
    if (entry.toString('latin1', 0, 2) === 'CE' && length >= 28) {
      const from = entry.readUInt32LE(4) * sector + entry.readUInt32LE(12);
      found.push(...systemUse(Buffer.alloc(0), image.subarray(from, from + entry.readUInt32LE(20))));
    }
    at += length;
  }
  return found;
}

import { died } from '../refusal.ts';

/** What a file that came in turns out to be. */
export type Probed = { readonly bytes: number };

/** Refuses images that are not what their name says, or that point at other files; `path` is where it lies meanwhile. */
export function probeImage(
  head: Uint8Array,
  fileBytes: number,
  format: string,
  path: string,
  say: (line: string) => void,
): Probed {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  switch (format) {
    case 'qcow2':
      if (isQcow2(bytes)) return { bytes: qcow2Bytes(bytes, path) };
      throw notInFormat(path, format, say);
    case 'vmdk':
      if (bytes.toString('latin1', 0, 4) === 'KDMV') return { bytes: Number(bytes.readBigUInt64LE(12)) * 512 };
      throw notInFormat(path, format, say);
    case 'ova':
      if (bytes.toString('latin1', 257, 262) !== 'ustar') throw died(`command 'tar -t -f ${path}' failed: exit code 2`);
      if (!/^[^\0]*\.ovf\0/.test(bytes.toString('latin1', 0, 100))) throw died('ova archive has no .ovf file inside');
      return { bytes: fileBytes };
    case 'iso':
      // Whatever it is: an image that points at other files would show them to a guest.
      return { bytes: isQcow2(bytes) ? qcow2Bytes(bytes, path) : fileBytes };
    default:
      return { bytes: fileBytes };
  }
}

const isQcow2 = (head: Buffer): boolean => head.length >= 32 && head.toString('latin1', 0, 4) === 'QFI\u00fb';

function notInFormat(path: string, format: string, say: (line: string) => void): Error {
  say(`command '/usr/bin/qemu-img info '--output=json' ${path} -f ${format}' failed: exit code 1`);
  return died(`qemu-img: Could not open '${path}': Image is not in ${format} format`);
}

function qcow2Bytes(head: Buffer, path: string): number {
  const outside = 4;
  const hasFeatures = head.readUInt32BE(4) >= 3 && head.length >= 104;
  if (hasFeatures && (head.readUInt32BE(76) & outside) !== 0)
    throw died(`${path}: 'data-file' references are not allowed!`);
  if (head.readBigUInt64BE(8) !== 0n) throw died(`backing file not allowed for untrusted image '${path}'!`);
  return Number(head.readBigUInt64BE(24));
}

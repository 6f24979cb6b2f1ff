/** What a file of the lab’s factory says about itself, for whoever boots it: the real one would hold the system in its place. */
export type TalosMarker = {
  /** `v1.13.9` */
  readonly version: string;
  readonly schematic: string;
  /** `nocloud`, `metal` … */
  readonly platform: string;
  /** Official names: `siderolabs/qemu-guest-agent`. */
  readonly extensions: readonly string[];
  readonly arch: string;
  readonly secureboot: boolean;
};

const magic = Buffer.from('TALOS-OF-THE-LAB\n');

/** The words, their length, and then what it is. */
export function writeTalosMarker(marker: TalosMarker): Buffer {
  const text = Buffer.from(JSON.stringify(marker));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([magic, length, text]);
}

/** Looks for the marker in the beginning of a file or disk; undefined: something else is on it. */
export function readTalosMarker(head: Uint8Array): TalosMarker | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const at = bytes.indexOf(magic);
  const start = at + magic.length + 4;
  if (at < 0 || start > bytes.length) return undefined;
  const end = start + bytes.readUInt32BE(start - 4);
  if (end > bytes.length) return undefined;
  return markerOf(bytes.toString('utf8', start, end));
}

function markerOf(text: string): TalosMarker | undefined {
  try {
    return JSON.parse(text) as TalosMarker;
  } catch {
    return undefined;
  }
}

const headerBytes = 512;

/** Talos never closes its archive: no padding after the file and no end of it, which libraries refuse. Undefined when the file is not all there. */
export function firstFileOfTar(tar: Uint8Array): Uint8Array | undefined {
  const header = new TextDecoder('latin1').decode(tar.subarray(0, headerBytes));
  const size = /^[\0 ]*([0-7]+)[\0 ]*$/.exec(header.slice(124, 136))?.[1];
  if (header.length < headerBytes || size === undefined) return undefined;
  const file = tar.subarray(headerBytes, headerBytes + Number.parseInt(size, 8));
  return file.length === Number.parseInt(size, 8) ? file : undefined;
}

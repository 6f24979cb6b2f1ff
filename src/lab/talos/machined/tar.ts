export type TarEntry = { readonly name: string; readonly content: Uint8Array; readonly mode: number };

const block = 512;

/** A ustar archive; what Talos sends for a kubeconfig has neither padding nor an end. */
export function tarOf(entries: readonly TarEntry[], complete: boolean): Buffer {
  const parts: Uint8Array[] = [];
  for (const { name, content, mode } of entries) {
    parts.push(headerOf(name, content.length, mode), content);
    if (complete) parts.push(Buffer.alloc((block - (content.length % block)) % block));
  }
  if (complete) parts.push(Buffer.alloc(2 * block));
  return Buffer.concat(parts);
}

function headerOf(name: string, size: number, mode: number): Buffer {
  const header = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number): void =>
    void header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  header.write(name, 0, 100, 'utf8');
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write(' '.repeat(8), 148, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar', 257, 'latin1');
  header.write('00', 263, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

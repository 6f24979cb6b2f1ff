import { createHash } from 'node:crypto';
import type { Upload } from '../call.ts';

/** What the parts before the file said, and the file. */
export type Received = { readonly fields: Readonly<Record<string, string>>; readonly upload: Upload };

/** An upload that came to nothing; the message is what the client is told. */
export class BrokenUpload extends Error {
  override readonly name = 'BrokenUpload';
}

const algorithms = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const;
/** The fields that may stand before the file, in the only order that works. */
const known = ['content', 'checksum-algorithm', 'checksum'] as const;
const headBytes = 1024 * 1024;
const perl = ' at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 1350.';

/** Reads a form with a file as it comes; nothing but the file’s beginning is kept. */
export async function readUpload(boundary: string, body: AsyncIterable<Buffer>): Promise<Received> {
  const parts = new Preamble(boundary);
  let file: FileSink | undefined;
  for await (const piece of body) {
    if (file === undefined) {
      const rest = parts.take(piece);
      if (rest === undefined) continue;
      file = new FileSink(boundary);
      file.take(rest);
    } else file.take(piece);
    if (file.isWhole) break;
  }
  if (file?.isWhole !== true) throw new BrokenUpload(`upload failed${perl}`);
  return { fields: { ...parts.fields, filename: parts.fileName }, upload: file.finish(parts.fileName) };
}

/** Everything before the bytes of the file. */
class Preamble {
  readonly fields: Record<string, string> = {};
  fileName = '';
  readonly #delimiter: string;
  #seen = Buffer.alloc(0);

  constructor(boundary: string) {
    this.#delimiter = `--${escaped(boundary)}\\r?\\n`;
  }

  /** What of it belongs to the file already; undefined: the file has not begun. */
  take(piece: Buffer): Buffer | undefined {
    this.#seen = Buffer.concat([this.#seen, piece]);
    let text = this.#seen.toString('latin1');
    const start = new RegExp(this.#delimiter).exec(text);
    if (start === null) return undefined;
    text = text.slice(start.index);
    for (const name of known) text = this.#field(text, name);
    const [head = '', disposition, name, fileName] =
      new RegExp(`^${this.#delimiter}Content-Disposition: (.*?); name="(.*?)"; filename="([^"]+)"`, 's').exec(text) ??
      [];
    this.#seen = Buffer.from(text, 'latin1');
    if (disposition === undefined || name === undefined || fileName === undefined) return undefined;
    mustBeForm(disposition);
    if (name !== 'filename')
      throw new BrokenUpload(`wrong field name '${name}' for file upload, expected 'filename'${perl}`);
    const data = /(\r?\n){2}/.exec(text.slice(head.length));
    if (data === null) return undefined;
    this.fileName = Buffer.from(fileName, 'latin1').toString('utf8').trim();
    return Buffer.from(text.slice(head.length + data.index + data[0].length), 'latin1');
  }

  /** A field that is whole. What stands before it becomes part of its disposition, as with the real parser. */
  #field(text: string, name: string): string {
    const found = new RegExp(
      `^${this.#delimiter}.*?Content-Disposition: (.*?); name="${name}"(.*?${this.#delimiter})`,
      's',
    ).exec(text);
    if (found === null) return text;
    mustBeForm(found[1] ?? '');
    const rest = text.slice(found[0].length - (found[2] ?? '').length).replace(/^.*?(\r?\n){2}/s, '');
    const end = new RegExp(this.#delimiter).exec(rest);
    if (end === null) return text;
    this.fields[name] = Buffer.from(rest.slice(0, end.index), 'latin1').toString('utf8').trim();
    return rest.slice(end.index);
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function mustBeForm(disposition: string): void {
  if (disposition !== 'form-data')
    throw new BrokenUpload(`wrong Content-Disposition '${disposition}' in multipart, expected 'form-data'`);
}

/** Counts and hashes the file until its end. */
class FileSink {
  isWhole = false;
  readonly #end: Buffer;
  readonly #hashes = algorithms.map((name) => [name, createHash(name)] as const);
  readonly #head: Buffer[] = [];
  #kept = 0;
  #bytes = 0;
  #held = Buffer.alloc(0);

  constructor(boundary: string) {
    this.#end = Buffer.from(`--${boundary}--`, 'latin1');
  }

  take(piece: Buffer): void {
    const all = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    const end = all.indexOf(this.#end);
    if (end >= 0) {
      this.#write(all.subarray(0, withoutLineEnd(all, end)));
      this.isWhole = true;
      return;
    }
    // The end may be cut in two, with a line end before it.
    const sure = Math.max(0, all.length - this.#end.length - 2);
    this.#write(all.subarray(0, sure));
    this.#held = Buffer.from(all.subarray(sure));
  }

  #write(data: Buffer): void {
    if (data.length === 0) return;
    this.#bytes += data.length;
    for (const [, hash] of this.#hashes) hash.update(data);
    if (this.#kept >= headBytes) return;
    const kept = data.subarray(0, headBytes - this.#kept);
    this.#head.push(Buffer.from(kept));
    this.#kept += kept.length;
  }

  finish(fileName: string): Upload {
    return {
      fileName,
      bytes: this.#bytes,
      head: Buffer.concat(this.#head),
      digests: Object.fromEntries(this.#hashes.map(([name, hash]) => [name, hash.digest('hex')])),
    };
  }
}

function withoutLineEnd(bytes: Buffer, end: number): number {
  if (bytes[end - 1] !== 0x0a) return end;
  return bytes[end - 2] === 0x0d ? end - 2 : end - 1;
}

import type { LocalFile } from '../../../model/file.ts';

export type Multipart = { readonly type: string; readonly body: LocalFile };

/** Fields first, the file last, as hosts want them. Its length is known beforehand: they take nothing in chunks. */
export function multipartOf(
  boundary: string,
  fields: Readonly<Record<string, string>>,
  file: { readonly field: string; readonly name: string; readonly content: LocalFile },
): Multipart {
  const head = Buffer.from(
    [
      ...Object.entries(fields).map(
        ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
      `--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; filename="${file.name}"\r\n`,
      'Content-Type: application/octet-stream\r\n\r\n',
    ].join(''),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: {
      bytes: head.length + file.content.bytes + tail.length,
      read: async function* () {
        yield head;
        yield* file.content.read();
        yield tail;
      },
    },
  };
}

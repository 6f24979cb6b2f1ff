import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { BrokenUpload, readUpload } from './multipart.ts';

const field = (name: string, value: string): string =>
  `--sep\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content: string, extra = ''): string =>
  `--sep\r\nContent-Disposition: form-data; name="filename"; filename="${name}"\r\n${extra}\r\n${content}\r\n--sep--\r\n`;

/** In pieces of so many bytes. */
async function* cut(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) {
    await Promise.resolve();
    yield bytes.subarray(start, start + size);
  }
}

const content = 'line one\r\nline two\n--se\r\n--sep almost';
const whole =
  field('content', 'iso') +
  field('checksum-algorithm', 'sha256') +
  field('checksum', 'abc') +
  file('größe.iso', content, 'Content-Type: application/octet-stream\r\n');

test.each([1, 7, 64, 100_000])('a file that comes in pieces of %i bytes is read whole', async (size) => {
  const { fields, upload } = await readUpload('sep', cut(whole, size));
  expect([fields, { ...upload, head: Buffer.from(upload.head).toString() }]).toEqual([
    { content: 'iso', 'checksum-algorithm': 'sha256', checksum: 'abc', filename: 'größe.iso' },
    {
      fileName: 'größe.iso',
      bytes: content.length,
      head: content,
      digests: Object.fromEntries(
        ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map((name) => [
          name,
          createHash(name).update(content).digest('hex'),
        ]),
      ),
    },
  ]);
});

test('of a long file the beginning is kept', async () => {
  const long = 'x'.repeat(3 * 1024 * 1024);
  const { upload } = await readUpload('sep', cut(field('content', 'iso') + file('a.iso', long), 65_536));
  expect([upload.bytes, upload.head.length]).toEqual([3 * 1024 * 1024, 1024 * 1024]);
});

test.each([
  ['nothing behind the file', whole.slice(0, -10), 'upload failed'],
  ['an unknown field', field('content', 'iso') + field('odd', '1') + file('a.iso', 'x'), "wrong field name 'odd"],
  [
    'a field in the wrong place',
    field('checksum', 'abc') + field('content', 'iso') + file('a.iso', 'x'),
    "wrong Content-Disposition 'form-data; name=",
  ],
  [
    'a file with another name',
    file('a.iso', 'x').replace('name="filename"', 'name="file"'),
    "wrong field name 'file' for file upload, expected 'filename'",
  ],
  [
    'another disposition',
    file('a.iso', 'x').replace('form-data', 'attachment'),
    "wrong Content-Disposition 'attachment' in multipart, expected 'form-data'",
  ],
])('%s makes it fail', async (_, text, message) => {
  const reading = readUpload('sep', cut(text, 10_000));
  await expect(reading).rejects.toBeInstanceOf(BrokenUpload);
  await expect(reading).rejects.toThrow(message);
});

import { createHash } from 'node:crypto';

/** A form with a file, as the recordings sent it. */
export function uploadForm(head: string, file: Buffer): Buffer {
  return Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--BOUNDARY7--\r\n')]);
}

export const uploadType = 'multipart/form-data; boundary=BOUNDARY7';

/** Recordings keep the beginning of an upload; the file behind it has the length that it had, and other bytes. */
export function rebuilt(recorded: string, note: string): Buffer {
  const file = Buffer.alloc(note === 'upload same name again' ? 2001 : 2000, 'iso ');
  const start = recorded.indexOf('\r\n\r\n', recorded.indexOf('filename="')) + 4;
  const sha256 = createHash('sha256').update(file).digest('hex');
  return uploadForm(recorded.slice(0, start).replace(/\b(?!0{64})[0-9a-f]{64}\b/, sha256), file);
}

/** The medium that lay on the recorded host before the first row. */
export const agentIso = (): Buffer =>
  uploadForm(
    [
      '--BOUNDARY7',
      'Content-Disposition: form-data; name="content"',
      '',
      'iso',
      '--BOUNDARY7',
      'Content-Disposition: form-data; name="filename"; filename="agent.iso"',
      '',
      '',
    ].join('\r\n'),
    Buffer.alloc(16_965_632, 'iso '),
  );

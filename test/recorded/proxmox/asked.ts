import type { Row } from './rows.ts';
import { rebuilt, uploadType } from './uploads.ts';

/** What a row says, as it is sent here. */
export type Sent = { readonly path: string; readonly body: Buffer | undefined; readonly type: string | undefined };

const form = 'application/x-www-form-urlencoded';

export function sentOf(row: Row, translated: (text: string) => string): Sent {
  const path = translated(row.path);
  const long = 'x'.repeat(row.note === 'description 8193' ? 8193 : 8192);
  const spelled = (text: string): string => translated(text).replace('<8192 or 8193 times x>', long);
  if (row.form !== undefined) return { path, body: Buffer.from(formText(row.form, spelled)), type: form };
  if (row.json !== undefined)
    return { path, body: Buffer.from(translated(JSON.stringify(row.json))), type: 'application/json' };
  if (row.body_in === undefined) return { path, body: undefined, type: undefined };
  const body = row.body_in.startsWith('--BOUNDARY7')
    ? rebuilt(row.body_in, row.note)
    : Buffer.from(translated(row.body_in));
  return { path, body, type: typeOf(row) };
}

function formText(given: NonNullable<Row['form']>, translated: (text: string) => string): string {
  if (typeof given === 'string') return translated(given);
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(translated(String(each)))}`),
  );
  return pairs.join('&');
}

/** The recording keeps no request headers; the note and the answer tell what was in them. */
function typeOf({ note, body_in: body = '', extra_headers: extra }: Row): string | undefined {
  if (extra?.some(([name]) => name === 'Transfer-Encoding') === true) return form;
  if (body.startsWith('--BOUNDARY7')) return uploadType;
  if (note.includes('no content type')) return undefined;
  if (note.includes('wrong content type')) return 'text/plain';
  if (note === 'xml') return 'application/xml';
  return /json/i.test(note) ? 'application/json' : form;
}

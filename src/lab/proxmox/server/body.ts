import { uploadTarget } from '../access/authenticate.ts';
import type { Upload } from '../call.ts';
import { parseForm } from './form.ts';
import type { Sent } from './form.ts';
import { parseJson } from './json.ts';
import { BrokenUpload, readUpload } from './multipart.ts';
import { textReply } from './reply.ts';
import type { Reply } from './reply.ts';
import type { HttpRequest } from './request.ts';

const mostBytes = 512 * 1024;

/** What came with a request, or why it is not even looked at. */
export type Content =
  | { readonly kind: 'sent'; readonly sent: Sent; readonly upload: Upload | undefined }
  | { readonly kind: 'refused'; readonly reply: Reply }
  /** Nobody answers. */
  | { readonly kind: 'ignored' };

const refused = (reply: Reply): Content => ({ kind: 'refused', reply });

/** Query and body together; what the query says wins. */
export async function contentOf(request: HttpRequest, path: string): Promise<Content> {
  const { method, headers, target } = request;
  const query = parseForm(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '');
  const length = Number(headers.get('content-length') ?? 0);
  const type = headers.get('content-type');
  const [kind, ...rest] = type?.split(/\s*[;,]\s*/) ?? [];
  if (!(length > 0)) return { kind: 'sent', sent: query, upload: undefined };
  if (method !== 'POST' && method !== 'PUT')
    return refused(textReply(501, `Unexpected content for method '${method}'`));
  if (uploadTarget(method, path) !== undefined) {
    const boundary = rest.map((each) => /^boundary\s*=\s*(\S+)$/.exec(each)?.[1]).find((each) => each !== undefined);
    if (kind !== 'multipart/form-data' || boundary === undefined) return { kind: 'ignored' };
    return await uploaded(request, query, boundary.replace(/^"(.*)"$/, '$1'));
  }
  if (length > mostBytes) return refused(textReply(501, 'for data too large'));
  if (kind !== undefined && kind !== 'application/x-www-form-urlencoded' && kind !== 'application/json')
    return refused(textReply(506, `upload 'Content-Type '${type}' not implemented`));
  const whole = await wholeBody(request);
  try {
    const body = kind === 'application/json' ? parseJson(whole.toString('utf8')) : parseForm(whole.toString('latin1'));
    return { kind: 'sent', sent: { ...body, ...query }, upload: undefined };
  } catch (error) {
    return refused(textReply(500, `${(error as Error).message}\n`));
  }
}

async function wholeBody(request: HttpRequest): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request.body()) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function uploaded(request: HttpRequest, query: Sent, boundary: string): Promise<Content> {
  try {
    const { fields, upload } = await readUpload(boundary, request.body());
    return { kind: 'sent', sent: { ...query, ...fields }, upload };
  } catch (error) {
    if (error instanceof BrokenUpload) return refused(textReply(500, `${error.message}\n`));
    throw error;
  }
}

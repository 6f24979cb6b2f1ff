import type { IncomingMessage } from 'node:http';
import { parse as parseYaml } from 'yaml';
import type { Mutable } from '../api.ts';
import { badRequest, tooLarge, unsupportedMediaType } from '../refusal.ts';
import { parseJson } from '../schema/json.ts';
import { decodeProtobuf } from './protobuf.ts';

const limit = 3 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) throw tooLarge(`limit is ${limit}`);
  return Buffer.concat(chunks);
}

const readable = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

export const mediaTypeOf = (header: string | undefined): string =>
  (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

export type Parsed = { readonly value: Mutable; readonly duplicates: readonly string[] };

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** A body as an object of a kind: JSON, or YAML or protobuf where it says so. */
export function parseBody(body: Buffer, contentType: string | undefined, kind: string): Parsed {
  const type = mediaTypeOf(contentType);
  if (type !== '' && !readable.includes(type)) throw unsupportedMediaType(readable);
  const unrecognized = (because: string) =>
    badRequest(`the object provided is unrecognized (must be of type ${kind}): ${because} (${shown(body)})`);
  if (type === 'application/vnd.kubernetes.protobuf')
    return { value: parsed(() => decodeProtobuf(body), unrecognized, ''), duplicates: [] };
  const { value, duplicates } =
    type === 'application/yaml'
      ? parsed(() => ({ value: parseYaml(body.toString()) as unknown, duplicates: [] }), unrecognized, 'yaml: ')
      : parsed(() => parseJson(body.toString()), unrecognized, "couldn't get version/kind; json parse error: ");
  if (value === null) return { value: {}, duplicates };
  if (typeof value === 'object' && !Array.isArray(value)) return { value: value as Mutable, duplicates };
  throw unrecognized(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${typeName(value)} into Go value of type ${typeMeta}`,
  );
}

function parsed<T>(parse: () => T, refuse: (because: string) => Error, prefix: string): T {
  try {
    return parse();
  } catch (error) {
    throw refuse(`${prefix}${(error as Error).message}`);
  }
}

const typeName = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

/** Text that begins like an object is shown, anything else as its bytes. */
function shown(body: Buffer): string {
  const text = body.toString();
  if (text.length === 0) return '<empty>';
  if (text.trimStart().startsWith('{')) return text.length > 1024 ? `${text.slice(0, 1024)} ...` : text;
  return body.toString('hex');
}

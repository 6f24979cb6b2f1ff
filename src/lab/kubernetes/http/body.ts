import type { IncomingMessage } from 'node:http';
import { parse as parseYaml } from 'yaml';
import type { Mutable } from '../api.ts';
import { badRequest, tooLarge, unsupportedMediaType } from '../refusal.ts';

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

/** A body as an object: JSON, or YAML where it says so. */
export function parseBody(body: Buffer, contentType: string | undefined): Mutable {
  const type = mediaTypeOf(contentType);
  if (type !== '' && type !== 'application/json' && type !== 'application/yaml') throw unsupportedMediaType(readable);
  const value = type === 'application/yaml' ? parseYamlText(body.toString()) : parseJson(body.toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${kindOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  return value as Mutable;
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

export function parseYamlText(text: string): unknown {
  try {
    return parseYaml(text) as unknown;
  } catch (error) {
    throw badRequest(`error converting YAML to JSON: yaml: ${(error as Error).message}`);
  }
}

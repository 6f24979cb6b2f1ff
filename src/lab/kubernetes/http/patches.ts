import { parse as parseYaml } from 'yaml';
import { badRequest, Refusal, unsupportedMediaType } from '../refusal.ts';
import { writeOptions } from '../verbs/options.ts';
import { patch } from '../verbs/patch.ts';
import type { Patch, PatchKind } from '../verbs/patch.ts';
import { mediaTypeOf, readBody } from './body.ts';
import type { Call } from './call.ts';
import { giveObject, stored, writeOf } from './call.ts';
import { parseJson } from '../schema/json.ts';

const kinds: Readonly<Record<string, PatchKind>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** What a custom resource takes: without a type in Go there is no strategy for its lists. */
const ofCustom = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

export async function readPatch(call: Call): Promise<Patch> {
  const { definition, target, info, request } = call;
  const kind = kinds[mediaTypeOf(request.headers['content-type'])];
  if (kind === undefined) throw unsupported();
  if (kind === 'strategic' && definition.custom) throw unsupportedMediaType(ofCustom);
  const options = writeOptions(info.query, 'PatchOptions', kind === 'apply');
  const text = (await readBody(request)).toString();
  if (kind !== 'apply') stored(call);
  const body = kind === 'apply' ? yamlOf(text) : jsonOf(text, kind);
  return { kind, body, namespace: target.namespace, name: target.name ?? '', options };
}

export async function answerPatch(call: Call): Promise<void> {
  const request = await readPatch(call);
  const { server, definition } = call;
  const patched = patch(server.cluster, definition, request, writeOf(call, request.options));
  giveObject(call, patched.created ? 201 : 200, patched.object);
}

const unsupported = (): Refusal => {
  const { status } = unsupportedMediaType([]);
  return new Refusal({ ...status, message: '415: Unsupported Media Type', details: {} });
};

function jsonOf(text: string, kind: PatchKind): unknown {
  try {
    return parseJson(text).value;
  } catch (error) {
    throw badRequest(`${kind === 'strategic' ? '' : 'error decoding patch: '}${(error as Error).message}`);
  }
}

function yamlOf(text: string): unknown {
  try {
    return parseYaml(text) as unknown;
  } catch (error) {
    throw badRequest(`error decoding YAML: yaml: ${(error as Error).message}`);
  }
}

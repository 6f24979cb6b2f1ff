import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groupVersion } from '../../src/lab/kubernetes/discovery/registry.ts';
import { builtinResources as assembled } from '../../src/lab/kubernetes/discovery/builtin.ts';
import { openApiV3, openApiV3Index } from '../../src/lab/kubernetes/openapi/documents.ts';
import { builtinResources } from '../../src/wire/kubernetes/resources.ts';
import { startKube } from './kube.ts';
import type { Kube } from './kube.ts';

type Json = { [key: string]: unknown };

let kube: Kube;
beforeAll(async () => {
  kube = await startKube();
}, 180_000);
afterAll(() => kube?.[Symbol.asyncDispose]());

const get = async (path: string): Promise<Json> => {
  const { status, body } = await kube.request('GET', path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return (typeof body === 'string' ? JSON.parse(body) : body) as Json;
};

const versions = [...new Set(assembled().map(groupVersion))];
const rootOf = (version: string): string => (version.includes('/') ? `apis/${version}` : `api/${version}`);

/** Without prose, and with one way of pointing to a type. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const { description, allOf, 'x-kubernetes-unions': _, ...rest } = value as Json;
  const isText = typeof description === 'string' || description === undefined;
  const kept = {
    ...rest,
    ...(!isText && { description }),
    ...(Array.isArray(allOf) && allOf.length === 1 ? (allOf[0] as Json) : allOf === undefined ? {} : { allOf }),
  };
  return Object.fromEntries(Object.entries(kept).map(([key, each]) => [key, bare(each)]));
}

test('the same groups are described', async () => {
  const real = Object.keys((await get('/openapi/v3'))['paths'] as Json).filter((path) =>
    /^api\/v1$|^apis\/[^/]+\/v\d/.test(path),
  );
  expect(Object.keys(openApiV3Index(assembled())['paths'] as Json)).toEqual(real.sort());
});

describe.each(versions)('%s', (version) => {
  test('every type has the same fields', async () => {
    const schemas = (document: Json): Json => (document['components'] as Json)['schemas'] as Json;
    const real = bare(schemas(await get(`/openapi/v3/${rootOf(version)}`))) as Json;
    const ours = bare(JSON.parse(JSON.stringify(schemas(openApiV3(assembled(), version))))) as Json;
    for (const name of Object.keys(real))
      expect({ [name]: ours[name] }).toEqual({ [name]: sameKinds(real[name] as Json) });
    expect(Object.keys(ours).filter((name) => real[name] === undefined)).toEqual([]);
  });

  test('every resource is told alike', async () => {
    const real = ((await get(`/${rootOf(version)}`))['resources'] as Json[]).map(({ name, ...rest }) => ({
      name,
      ...rest,
    }));
    const ours = builtinResources()
      .filter((each) => groupVersion(each) === version)
      .flatMap(({ resource, singular, kind, namespaced, shortNames, categories, verbs, stored, subresources }) => [
        {
          name: resource,
          singularName: singular,
          namespaced,
          kind,
          verbs,
          ...(shortNames.length > 0 && { shortNames }),
          ...(categories.length > 0 && { categories }),
          ...(stored !== undefined && { storageVersionHash: hash(`${stored.group}/${stored.version}/${kind}`) }),
        },
        ...subresources.map((each) => ({
          name: `${resource}/${each.name}`,
          singularName: '',
          namespaced,
          ...(groupVersion(each) !== version && { group: each.group, version: each.version }),
          kind: each.kind,
          verbs: each.verbs,
        })),
      ]);
    expect(ours).toEqual(real);
  });
});

const hash = (text: string): string => createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');

/** Some kinds belong to every group that is described; of those the core’s is enough. */
function sameKinds(schema: Json): Json {
  const kinds = schema['x-kubernetes-group-version-kind'];
  return Array.isArray(kinds) && kinds.length > 1
    ? { ...schema, 'x-kubernetes-group-version-kind': kinds.slice(0, 1) }
    : schema;
}

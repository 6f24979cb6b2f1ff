import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { fromBinary, toJson } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { aliasesOf, declarations, definitionOf, definitionType } from '../../src/lab/talos/state/definitions.ts';
import { goYaml } from '../../src/lab/talos/state/go-yaml.ts';
import { publish } from '../../src/lab/talos/state/publish.ts';
import type { Shape } from '../../src/lab/talos/state/specs/shape.ts';
import { typeRows } from '../../src/lab/talos/state/type-table.ts';
import { sweep } from '../sweep.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';
import { specs } from './resource-specs.ts';

let judge: string;
beforeAll(async () => {
  judge = await peerProgram('resources');
}, buildTimeoutMs);

type Answer = { readonly proto: string; readonly yaml: string; readonly error: string };
type Written = { readonly type: string; readonly proto: Uint8Array; readonly yaml: string };

function ask(args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(judge, args, { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`The judge failed: ${stderr}`);
  return stdout;
}

/** What Talos' own types make of our bytes. */
function rewritten(all: readonly Written[]): readonly Answer[] {
  const lines = all.map(({ type, proto }) =>
    JSON.stringify({
      namespace: definitionOf(type)?.namespace,
      type,
      id: 'x',
      proto: Buffer.from(proto).toString('base64'),
    }),
  );
  return ask([], `${lines.join('\n')}\n`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}

const written = (type: string, shape: Shape<never>, spec: unknown): Written => ({
  type,
  proto: shape.proto(spec as never),
  yaml: goYaml(shape.yaml(spec as never)),
});

/** Maps are written in any order: what they say is compared. */
const inAnyOrder = new Set([publish.kubeletSpec.type, publish.nodeStatus.type, publish.platformMetadata.type]);

/** Theirs are nothing but one. */
const structs = new Set([publish.staticPod.type, publish.staticPodStatus.type]);

function bytesOf(type: string, proto: Uint8Array): unknown {
  if (structs.has(type)) return toJson(StructSchema, fromBinary(StructSchema, proto.subarray(structStart(proto))));
  if (inAnyOrder.has(type)) return [...proto].toSorted((a, b) => a - b).join(' ');
  return Buffer.from(proto).toString('base64');
}

/** Behind the tag and the length of field 1. */
function structStart(proto: Uint8Array): number {
  let at = 1;
  while (((proto[at] ?? 0) & 128) !== 0) at += 1;
  return Math.min(at + 1, proto.length);
}

const { numRuns, seed } = sweep('specs of each resource', 40, 400);

test.each(
  Object.entries(publish)
    .filter(([name]) => name !== 'machineConfig')
    .map(([name, { type, shape }]) => ({ name, type, shape: shape as Shape<never> })),
)('$name: the same bytes and the same YAML as Talos writes', ({ type, shape }) => {
  const all = fc.sample(specs(shape.fields), { numRuns, seed }).map((spec) => written(type, shape, spec));
  const answers = rewritten(all);
  const shown = (yaml: string | undefined, proto: Uint8Array): unknown => [yaml, bytesOf(type, proto)];
  const different = all.flatMap(({ yaml, proto }, at) => {
    const answer = answers[at];
    const [ours, theirs] = [shown(yaml, proto), shown(answer?.yaml, Buffer.from(answer?.proto ?? '', 'base64'))];
    return isDeepStrictEqual(ours, theirs) ? [] : [{ ours, theirs, error: answer?.error }];
  });
  expect(different.slice(0, 3)).toEqual([]);
});

const config = (hostname: string): string => `# kept as it was handed in
version: v1alpha1
machine:
    type: worker
---
apiVersion: v1alpha1
kind: HostnameConfig
hostname: ${hostname}
`;

test.each([config('a'), config('b').trimEnd(), config('c').replaceAll('    ', '  '), `\n${config('d')}\n\n`])(
  'machineConfig: the text is one string',
  (text) => {
    const { type, shape } = publish.machineConfig;
    const ours = written(type, shape, { text });
    const [answer] = rewritten([ours]);
    expect(answer).toEqual({ proto: Buffer.from(ours.proto).toString('base64'), yaml: ours.yaml, error: '' });
  },
);

test('the table of types is the one of Talos, and is written alike', () => {
  type Definition = { type: string; proto: string; yaml: string };
  const theirs = JSON.parse(ask(['definitions'])) as readonly (Definition & Record<string, unknown>)[];
  const ours = typeRows.map((row) => {
    const { people, all } = aliasesOf(row);
    const content = declarations().find(({ type, id }) => type === definitionType && id === row.type.toLowerCase());
    return {
      type: row.type,
      one: row.one,
      namespace: row.namespace,
      people,
      all,
      columns: Object.entries(row.columns ?? {}),
      sensitive: row.sensitive === true,
      proto: Buffer.from(content?.proto ?? []).toString('base64'),
      yaml: content?.yaml,
    };
  });
  expect(ours).toEqual(theirs.toSorted((a, b) => (a.type < b.type ? -1 : 1)));
});

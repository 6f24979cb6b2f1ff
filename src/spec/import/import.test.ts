import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importPlatform, type Imported } from './import.ts';

const imported = (name: string, content: string): Imported =>
  importPlatform([{ name, content }], { target: 'platform.yaml' });

const codes = (name: string, content: string) => imported(name, content).problems.map(({ code }) => code);

test.each<[string, string, string]>([
  ['by its name', 'prod.tfvars', 'cluster_name = "a"\n'],
  ['by its variables', 'vars.txt', 'cluster_name = "a"\n'],
  ['by its variables in JSON', 'vars.json', '{ "cluster_name": "a" }'],
  [
    'by its nodes',
    'cluster.yaml',
    'clusterName: a\nnodes: [{ hostname: a-cp-0, ipAddress: 10.0.0.1, controlPlane: true }]\n',
  ],
  [
    'by its group',
    'cluster.yaml',
    'apiVersion: vitistack.io/v1alpha1\nkind: KubernetesCluster\nmetadata: { name: a }\nspec: { topology: { controlplane: {}, workers: [{ name: wp }] } }\n',
  ],
])('a file is recognised %s', (_, name, content) => {
  expect(imported(name, content).file).toMatch(/^metadata: \{ name: a \}$/m);
});

test.each<[string, string, string]>([
  ['a file of ichor', 'apiVersion: ichor.dev/v1alpha1\nkind: Platform\n', 'already-ichor'],
  ['some other YAML', 'a: 1\n', 'unknown-origin'],
  ['nothing', '', 'unknown-origin'],
  ['broken YAML', 'a: [\n', 'yaml'],
])('%s is not', (_, content, code) => {
  expect(codes('a.yaml', content)).toEqual([code]);
});

test.each(['terraform.tfvars', 'talconfig.yaml', 'viti.yaml'])(
  'the file made from %s is the golden one',
  async (name) => {
    const { file, notes, problems } = imported(name, readFileSync(`examples/import/${name}`, 'utf8'));
    const said = notes.map(({ at, path, message }) => `${at?.line}:${at?.column} ${path}: ${message}\n`).join('');
    await expect(file).toMatchFileSnapshot(`../../../test/golden/import/${name}.platform.yaml`);
    await expect(said).toMatchFileSnapshot(`../../../test/golden/import/${name}.notes.txt`);
    expect(problems).toEqual([]);
  },
);

test('a secret in a place where nobody looks for one stays behind all the same', () => {
  const { file, notes, problems } = imported(
    'talconfig.yaml',
    `clusterName: a
talosVersion: v1.12.4
nodes:
  - hostname: a-cp-0
    ipAddress: 10.0.0.1
    controlPlane: true
    nodeAnnotations: { example.org/token: hunter2, example.org/owner: me }
    schematic: { customization: { extraKernelArgs: ["siderolink.api=grpc://x?jointoken=hunter2", a=b] } }
imageFactory: { registryURL: "me:hunter2@factory.example.org" }
`,
  );
  expect([file?.includes('hunter2'), notes.map(({ path, message }) => `${path}: ${message}`), problems]).toEqual([
    false,
    [
      'cluster.talos.kernelArgs[0]: Not carried over: it looks like a secret.',
      'cluster.talos.image.factory: Not carried over: it looks like a secret.',
      'cluster.controlPlane.annotations["example.org/token"]: Not carried over: it looks like a secret.',
    ],
    [],
  ]);
});

test.each([
  'a: *hunter2\n',
  'a: !hunter2 x\n',
  'a: [\nhunter2\n',
  '] hunter2\n',
  '"hunter2\n',
  '? [hunter2]\n: x\n',
  'a: { <<: hunter2 }\n',
])('what is wrong with %j is said without a word of it', (content) => {
  const { problems, notes } = importPlatform(
    [{ name: 'talconfig.yaml', content: `clusterName: a\nnodes: []\n${content}` }],
    {
      from: 'talhelper',
      target: 'platform.yaml',
    },
  );
  expect(problems.length).toBeGreaterThan(0);
  expect(JSON.stringify([notes, ...problems.map(({ message, remedy }) => [message, remedy])])).not.toContain('hunter2');
});

import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ichor, root } from '../cli.ts';

test('ichor schema prints one schema for editors', () => {
  const { status, stdout, stderr } = ichor(['schema']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const schema = JSON.parse(stdout) as { $schema: string; definitions: object };
  expect([schema.$schema, Object.keys(schema.definitions)]).toEqual([
    'http://json-schema.org/draft-07/schema#',
    ['Platform', 'Substrate', 'KubernetesCluster', 'MachineClass', 'NetworkNamespace'],
  ]);
});

test('ichor schema Platform prints the schema of one kind, also as YAML', () => {
  const json = ichor(['schema', 'platform']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    title: 'Platform',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
  });
  const yaml = ichor(['schema', 'Platform', '--output', 'yaml']);
  expect(parseAllDocuments(yaml.stdout).map((document) => document.toJS() as unknown)).toEqual([
    JSON.parse(json.stdout),
  ]);
});

test('ichor schema --crd prints the definitions as a stream of YAML, or as a List', async () => {
  const yaml = ichor(['schema', '--crd']);
  expect(yaml).toEqual({ status: 0, stdout: await readFile('test/golden/crds.yaml', 'utf8'), stderr: '' });
  const json = ichor(['schema', '--crd', '--output', 'json']);
  const items = parseAllDocuments(yaml.stdout).map((document) => document.toJS() as unknown);
  expect(items).toHaveLength(6);
  expect(JSON.parse(json.stdout)).toEqual({ apiVersion: 'v1', kind: 'List', items });
  const one = ichor(['schema', '--crd', 'KubevirtConfig']);
  expect(parseAllDocuments(one.stdout).map((document) => document.toJS() as unknown)).toEqual([items[5]]);
});

test('an unknown kind is an error with the nearest', () => {
  expect(ichor(['schema', 'Platfrom'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'error: "Platfrom" is not a kind that ichor knows.\n  Did you mean "Platform"?\n',
  });
  const json = ichor(['schema', 'Cluster', '--output', 'json']);
  expect(json.status).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ problems: [{ code: 'unknown-kind' }] });
});

test('a reader that has seen enough is no failure', () => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', 'set -e; node dist/ichor.js schema | head -n 1'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '{\n', stderr: '' });
});

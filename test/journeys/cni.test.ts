import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ichor } from '../cli.ts';
import { folderForAll } from '../folder.ts';
import { platformFile } from '../said.ts';

describe('the network of a file', () => {
  const place = folderForAll();
  const file = (name: string, cni: string): string => {
    const path = join(place, name);
    writeFileSync(path, platformFile({ cluster: `{ cni: ${cni} }` }));
    return path;
  };

  test('what the chart is told, as a file for helm and for programs', () => {
    const path = file(
      'cilium.yaml',
      '{ cilium: { l2: { pool: 10.10.0.64/27 }, values: { debug: { enabled: true } } } }',
    );
    const yaml = ichor(['cni', 'values', '-f', path]);
    expect([yaml.status, yaml.stderr]).toEqual([0, '']);
    expect(yaml.stdout).toMatch(/^# cilium 1\.19\.0 of https:\/\/helm\.cilium\.io, as release cilium in kube-system\n/);
    expect(yaml.stdout).toContain('  # Talos gives every node its share of cluster.network.pods\n  mode: kubernetes\n');
    expect(yaml.stdout).toContain('debug:\n  # cluster.cni.cilium.values\n  enabled: true\n');

    const json = JSON.parse(ichor(['cni', 'values', '-f', path, '--output', 'json']).stdout) as {
      readonly release: { readonly values: unknown };
      readonly decided: readonly { readonly by: string }[];
    };
    expect(json).toMatchObject({
      platform: 'prod',
      kind: 'cilium',
      release: { name: 'cilium', namespace: 'kube-system' },
    });
    expect(json.release.values).toEqual(parse(yaml.stdout));
    expect(json.decided.filter(({ by }) => by === 'file')).toEqual([
      { path: 'debug.enabled', value: true, by: 'file', because: 'cluster.cni.cilium.values' },
    ]);
  });

  test('what is applied besides the chart', () => {
    const path = file('pools.yaml', '{ cilium: { l2: { pool: 10.10.0.64/27 } } }');
    const { stdout } = ichor(['cni', 'manifests', '-f', path]);
    const found = parseAllDocuments(stdout).map((document) => document.toJS() as { readonly kind: string });
    expect(found.map(({ kind }) => kind)).toEqual(['CiliumLoadBalancerIPPool', 'CiliumL2AnnouncementPolicy']);
    const { stdout: json } = ichor(['cni', 'manifests', '-f', path, '-o', 'json']);
    expect(JSON.parse(json)).toEqual({ manifests: found });
  });

  test('a network without a chart says so, and is described all the same', () => {
    const path = file('flannel.yaml', '{ flannel: {} }');
    const { status, stderr } = ichor(['cni', 'values', '-f', path]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('The network of prod has no chart: Talos brings flannel by itself.'),
    ]);
    expect(JSON.parse(ichor(['cni', 'values', '-f', path, '-o', 'json']).stdout)).toEqual({
      platform: 'prod',
      kind: 'flannel',
    });
  });

  test('a kubeconfig that is not there', () => {
    const path = file('c.yaml', '{ cilium: {} }');
    for (const words of [
      ['cni', 'install', '-f', path],
      ['drain', 'w-1'],
    ]) {
      const { status, stdout } = ichor([...words, '--kubeconfig', join(place, 'none'), '-o', 'json'], { cwd: place });
      expect([status, JSON.parse(stdout)]).toMatchObject([
        1,
        { problems: [{ code: expect.stringContaining('kubeconfig') as string }] },
      ]);
    }
  });
});

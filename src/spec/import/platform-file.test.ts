import { expect, test } from 'vitest';
import { platformFile } from './platform-file.ts';
import { Sketch } from './sketch.ts';

test('layers in order, short things on one line, comments where they were asked for', () => {
  const sketch = new Sketch('prod');
  sketch.put('cluster.patches', [{ machine: { env: { A: 'b' } } }]);
  sketch.put('cluster.workers.general', { replicas: 3, memory: '16GiB', cpu: 8 });
  sketch.put('cluster.controlPlane.disk', '40GiB');
  sketch.put('cluster.controlPlane.replicas', 3);
  sketch.put('cluster.cni', { flannel: {} });
  sketch.put('cluster.manifests.inline', { motd: 'kind: ConfigMap\ndata: { a: b }\n' });
  sketch.put('machines.proxmox', { hosts: ['pve1'], token: { env: 'PROXMOX_TOKEN' }, endpoint: 'https://pve1:8006' });
  sketch.comment('machines.proxmox.token', 'Export it.');
  sketch.comment('cluster.workers', 'Two\nlines.');
  sketch.put('environment', 'yes');

  expect(platformFile(sketch, 'Written by a test.')).toBe(`# Written by a test.

apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: prod }
spec:
  environment: yes
  machines:
    proxmox:
      endpoint: https://pve1:8006
      # Export it.
      token: { env: PROXMOX_TOKEN }
      hosts: [ pve1 ]
  cluster:
    controlPlane: { replicas: 3, disk: 40GiB }
    # Two
    # lines.
    workers:
      general: { replicas: 3, cpu: 8, memory: 16GiB }
    cni: { flannel: {} }
    manifests:
      inline:
        motd: |
          kind: ConfigMap
          data: { a: b }
    patches:
      - machine:
          env:
            A: b
`);
});

test('long lines stay whole, and a value that is used twice is written twice', () => {
  const shared = { path: `/dev/disk/by-id/${'x'.repeat(120)} and more words than a line can hold` };
  const sketch = new Sketch('prod');
  sketch.put('cluster.controlPlane.installDisk', shared);
  sketch.put('cluster.workers.general.installDisk', shared);
  const lines = platformFile(sketch, 'x')
    .split('\n')
    .filter((line) => line.includes('by-id'));
  expect(lines.map((line) => line.trim())).toEqual(Array(2).fill(`path: ${shared.path}`));
});

test('a name from elsewhere is only ever a name', () => {
  const sketch = new Sketch('prod');
  sketch.put(['cluster', 'nodes', '__proto__', 'polluted'], true);
  expect([({} as Record<string, unknown>)['polluted'], platformFile(sketch, 'x').includes('__proto__')]).toEqual([
    undefined,
    true,
  ]);
});

import { expect, test } from 'vitest';
import { platformOf } from '../../test/talos-platform.ts';
import { bootImageOf } from './boot-image.ts';

const platform = (talos: string) =>
  platformOf(`apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: test }
spec:
  machines:
    proxmox: { endpoint: "https://pve1.example.org:8006", token: { env: TOKEN }, hosts: [pve1] }
  cluster:
    talos: ${talos}
    controlPlane: { replicas: 1 }
    workers: { plain: { replicas: 1 }, storage: { replicas: 1, extensions: [iscsi-tools] } }
`);

const of = (talos: string, pool: string | null = null) =>
  bootImageOf(platform(talos), { role: pool === null ? 'control-plane' : 'worker', pool });

test('a machine’s disk is made from an image that hosts can import, named by what is in it', () => {
  const image = of('{ version: v1.13.9 }');
  expect(image).toEqual({
    kind: 'disk',
    url: expect.stringMatching(
      /^https:\/\/factory\.talos\.dev\/image\/[0-9a-f]{64}\/v1\.13\.9\/nocloud-amd64\.qcow2$/,
    ) as string,
    name: expect.stringMatching(/^talos-v1\.13\.9-[0-9a-f]{16}-nocloud-amd64\.qcow2$/) as string,
  });
});

test('a pool with extensions of its own has an image of its own', () => {
  expect(of('{}', 'plain')).toEqual(of('{}'));
  expect(of('{}', 'storage')).not.toEqual(of('{}'));
});

test('machines that install themselves start from an ISO of the same content', () => {
  const image = of('{ version: v1.12.0, secureBoot: true, image: { boot: iso, architecture: arm64 } }');
  expect(image).toMatchObject({
    kind: 'iso',
    name: expect.stringMatching(/^talos-v1\.12\.0-[0-9a-f]{16}-nocloud-arm64-secureboot\.iso$/) as string,
  });
});

test('an ISO that somebody put there is taken as it is', () => {
  expect(of('{ image: { iso: "local:iso/talos.iso" } }')).toEqual({ kind: 'iso', volume: 'local:iso/talos.iso' });
});

test('a schematic of one’s own stands for everything in it', () => {
  const schematic = 'ab'.repeat(32);
  expect(of(`{ image: { schematic: ${schematic} } }`, 'storage')).toMatchObject({
    url: expect.stringContaining(`/image/${schematic}/`) as string,
  });
});

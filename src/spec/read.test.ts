import { expect, test } from 'vitest';
import { platformFile, said } from '../../test/said.ts';
import { read } from './read.ts';

const substrate = (name: string, spec = '') =>
  `apiVersion: ichor.dev/v1alpha1\nkind: Substrate\nmetadata: { name: ${name} }\nspec: { image: { url: "file:///a", checksum: "sha256:${'0'.repeat(64)}" }${spec} }\n`;

test('several documents and files of several kinds are read at once', () => {
  const reading = read({
    sources: [
      {
        name: 'a.yaml',
        content: `${substrate('cloud')}---\n${platformFile({ machines: '{ openstack: { substrate: cloud } }' })}`,
      },
      { name: 'b.yaml', content: 'apiVersion: v1\nkind: Namespace\nmetadata: { name: web }\n' },
      {
        name: 'c.json',
        content:
          '{ "apiVersion": "vitistack.io/v1alpha1", "kind": "KubernetesCluster", "metadata": { "name": "viti" }, "spec": { "topology": { "workers": [{ "name": "a" }] } } }',
      },
    ],
  });
  expect({
    problems: reading.problems,
    platforms: reading.platforms.map(({ name }) => name),
    substrates: reading.substrates.map(({ name }) => name),
    others: reading.others,
    documents: reading.documents.map(({ kind, name }) => `${kind} ${name}`),
    texts: [...reading.texts],
  }).toEqual({
    problems: [],
    platforms: ['prod', 'viti'],
    substrates: ['cloud'],
    others: ['v1 Namespace web'],
    documents: ['Substrate cloud', 'Platform prod', 'KubernetesCluster viti'],
    texts: [],
  });
});

test('problems come file by file, from top to bottom, whoever found them', () => {
  const wrong = platformFile({ cluster: '{ controlPlane: { replicas: 4, cores: 2 }, hostnames: nobody }' });
  expect(
    said({
      sources: [
        { name: 'z.yaml', content: `${wrong}---\nkind: Platform\n` },
        { name: 'a.yaml', content: 'a: [\n' },
      ],
    }),
  ).toEqual([
    'z.yaml:6:40 even-control-planes: 4 control planes tolerate no more failures than 3: etcd needs a majority, so the number must be odd. | Use 3 or 5.',
    'z.yaml:6:43 unknown-key: Unknown key "cores" in spec.cluster.controlPlane. | Did you mean "cpu"?',
    'z.yaml:6:66 unknown-value: "nobody" is not one of talos, dhcp. | Use one of talos, dhcp.',
    'z.yaml:8:1 missing: This document needs "apiVersion". | Add "apiVersion: ichor.dev/v1alpha1".',
    'a.yaml:1:4 yaml: This [ is never closed. | Add the ].',
  ]);
});

test('a warning does not keep a platform from being read', () => {
  const { platforms, problems } = read({
    sources: [{ name: 'a', content: platformFile({ cluster: '{ talos: { extensions: [] } }' }) }],
  });
  expect([platforms.length, problems.map(({ code }) => code)]).toEqual([1, ['no-agent']]);
});

test('an error does', () => {
  const { platforms, documents } = read({
    sources: [{ name: 'a', content: platformFile({ cluster: '{ controlPlane: { replicas: 2 } }' }) }],
  });
  expect([platforms.length, documents.length]).toEqual([0, 1]);
});

const sharing = (name: string, vmids = '', cluster = '{}') =>
  platformFile(
    {
      machines: `{ proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1]${vmids} } }`,
      cluster,
    },
    name,
  );

test.each<[what: string, file: string, says: readonly string[]]>([
  [
    'a Substrate that is not there',
    platformFile({ machines: '{ openstack: { substrate: cloud } }' }),
    ['5:39 unknown-substrate: There is no Substrate "cloud" in what was given. | Give its file too, with another -f.'],
  ],
  [
    'a Substrate of another name, in a platform that is broken too',
    `${substrate('clouds')}---\n${platformFile({ machines: '{ openstack: { substrate: cloud } }', cluster: '{ controlPlane: { replicas: 2 } }' })}`,
    [
      '10:39 unknown-substrate: There is no Substrate "cloud" in what was given. | Substrates: clouds.',
      '11:40 even-control-planes: 2 control planes tolerate no more failures than 1: etcd needs a majority, so the number must be odd. | Use 1 or 3.',
    ],
  ],
  [
    'two platforms that take the same VMIDs',
    `${sharing('a')}---\n${sharing('b')}`,
    [
      '12:15 overlapping-ranges: The platforms "a" and "b" share a Proxmox cluster and take VMIDs from the same ranges. | Give "b" its own, for example "vmids: { controlPlane: 2401-2499, workers: 2501-3499 }".',
    ],
  ],
  [
    'two platforms with VMIDs of their own',
    `${sharing('a')}---\n${sharing('b', ', vmids: { controlPlane: 2401-2499, workers: 2501-3499 }')}`,
    [],
  ],
  [
    'two platforms whose groups have VMIDs of their own',
    `${sharing('a')}---\n${sharing('b', '', '{ controlPlane: { vmids: 7000-7001 }, workers: { w: { vmids: 7100-7200 } } }')}`,
    [],
  ],
  [
    'two platforms whose groups share VMIDs',
    `${sharing('a', '', '{ workers: { w: { vmids: 7100-7200 } } }')}---\n${sharing('b', ', vmids: { controlPlane: 2401-2499, workers: 2501-3499 }', '{ workers: { w: { vmids: 7200-7300 } } }')}`,
    [
      '12:95 overlapping-ranges: The platforms "a" and "b" share a Proxmox cluster and take VMIDs from the same ranges. | Give "b" its own, for example "vmids: { controlPlane: 2401-2499, workers: 2501-3499 }".',
    ],
  ],
])('%s', (_, file, says) => {
  expect(said(file)).toEqual(says);
});

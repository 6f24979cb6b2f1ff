import { describe, expect, test } from 'vitest';
import { platformFile, said } from '../../test/said.ts';
import { readDocuments, type Input } from './documents.ts';
import { read } from './read.ts';
import { formatPath, toValue, type Path, type Tree } from './tree.ts';

const header = (name = 'prod') => `apiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: { name: ${name} }\n`;
const base = {
  name: 'base.yaml',
  content: platformFile({ cluster: '{ controlPlane: { replicas: 3, cpu: 4 }, certSANs: [a, b] }' }),
};
const over = (spec: string, name = 'prod') => ({ name: 'over.yaml', content: `${header(name)}spec: ${spec}\n` });

/** The spec that comes out, as plain data. */
const specOf = (input: Input) => {
  const [document] = readDocuments(input).documents;
  const value = document && (JSON.parse(JSON.stringify(toValue(document.tree))) as { spec: Record<string, unknown> });
  return value?.spec['cluster'];
};

describe('-f base -f over', () => {
  test.each<[what: string, over: string, cluster: unknown]>([
    [
      'maps merge',
      '{ cluster: { controlPlane: { memory: 8GiB } } }',
      { controlPlane: { replicas: 3, cpu: 4, memory: '8GiB' }, certSANs: ['a', 'b'] },
    ],
    [
      'later wins',
      '{ cluster: { controlPlane: { cpu: 8 } } }',
      { controlPlane: { replicas: 3, cpu: 8 }, certSANs: ['a', 'b'] },
    ],
    [
      'lists are replaced',
      '{ cluster: { certSANs: [c] } }',
      { controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['c'] },
    ],
    ['null takes a key away', '{ cluster: { certSANs: null } }', { controlPlane: { replicas: 3, cpu: 4 } }],
    [
      'null takes away what is not there',
      '{ cluster: { workers: null, endpoint: { vip: ~ } } }',
      { controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'b'], endpoint: {} },
    ],
    [
      'a map takes the place of a list',
      '{ cluster: { certSANs: { a: 1 } } }',
      { controlPlane: { replicas: 3, cpu: 4 }, certSANs: { a: 1 } },
    ],
  ])('%s', (_, spec, cluster) => {
    expect(specOf({ sources: [base, over(spec)] })).toEqual(cluster);
  });

  test('a third file lies over the second', () => {
    const third = { name: 'third.yaml', content: `${header()}spec: { cluster: { controlPlane: { cpu: 16 } } }\n` };
    expect(specOf({ sources: [base, over('{ cluster: { controlPlane: { cpu: 8, memory: 8GiB } } }'), third] })).toEqual(
      {
        controlPlane: { replicas: 3, cpu: 16, memory: '8GiB' },
        certSANs: ['a', 'b'],
      },
    );
  });

  test.each<[what: string, over: string, says: readonly string[]]>([
    [
      'a value',
      '{ cluster: { controlPlane: { replicas: 4 } } }',
      [
        'over.yaml:4:46 even-control-planes: 4 control planes tolerate no more failures than 3: etcd needs a majority, so the number must be odd. | Use 3 or 5.',
      ],
    ],
    [
      'a key',
      '{ cluster: { controlPlane: { replica: 5 } } }',
      ['over.yaml:4:36 unknown-key: Unknown key "replica" in spec.cluster.controlPlane. | Did you mean "replicas"?'],
    ],
    [
      'a second choice',
      '{ machines: { libvirt: {} } }',
      [
        'over.yaml:4:21 one-of: spec.machines has proxmox and libvirt, and only one of them can be. | Keep one of proxmox and libvirt.',
      ],
    ],
    [
      'a mapping that lacks something',
      '{ services: { gitops: { flux: {} } } }',
      [
        'over.yaml:4:31 missing: spec.services.gitops.flux needs "url". | Add for example "url: ssh://git@example.org/platform.git".',
      ],
    ],
    [
      'a hole in a mapping that was there before',
      '{ machines: { proxmox: { hosts: null, bridge: vmbr1 } } }',
      ['base.yaml:5:15 missing: spec.machines.proxmox needs "hosts". | Add for example "hosts: [pve1]".'],
    ],
  ])('%s that an overlay brought in is found where it stands', (_, spec, says) => {
    expect(said({ sources: [base, over(spec)] })).toEqual(says);
  });

  test('an overlay of another name is not one, and that is said', () => {
    expect(said({ sources: [base, over('{ cluster: {} }', 'staging')] })).toEqual([
      'over.yaml:3:19 warning other-name: This does not lie over the Platform "prod", because its name is "staging". | Write "name: prod" to change that one, or add machines to make another.',
      'over.yaml:4:1 missing: spec needs "machines". | Add machines: where the machines come from; one of proxmox, libvirt, openstack, existing.',
    ]);
  });

  test('another platform in another file is no overlay', () => {
    const other = { name: 'other.yaml', content: platformFile({ machines: '{ libvirt: {} }' }, 'other') };
    expect(read({ sources: [base, other] }).platforms.map(({ name }) => name)).toEqual(['prod', 'other']);
    expect(said({ sources: [base, other] })).toEqual([]);
  });
});

describe('--var-file', () => {
  const values = (content: string) => ({ name: 'values.yaml', content });

  test.each<[what: string, content: string]>([
    ['a piece of spec', 'cluster: { controlPlane: { replicas: 5 } }\n'],
    ['a document without its header', 'spec: { cluster: { controlPlane: { replicas: 5 } } }\n'],
    [
      'several documents',
      'cluster: { controlPlane: { replicas: 7 } }\n---\ncluster: { controlPlane: { replicas: 5 } }\n',
    ],
  ])('%s is laid over the file', (_, content) => {
    expect(specOf({ sources: [base], varFiles: [values(content)] })).toEqual({
      controlPlane: { replicas: 5, cpu: 4 },
      certSANs: ['a', 'b'],
    });
  });

  test.each<[what: string, content: string, says: readonly string[]]>([
    [
      'a mistake in it',
      'cluster: { controlPlane: { cores: 5 } }\n',
      ['values.yaml:1:28 unknown-key: Unknown key "cores" in spec.cluster.controlPlane. | Did you mean "cpu"?'],
    ],
    [
      'text',
      'hello\n',
      [
        'values.yaml:1:1 not-a-mapping: A file of values must be a mapping: a piece of spec. | For example: cluster: { controlPlane: { replicas: 3 } }',
      ],
    ],
    [
      'nothing',
      '',
      ['values.yaml:1:1 empty-file: There is nothing in this file. | Write one to begin with:\n    ichor init'],
    ],
    ['broken YAML', 'cluster: [\n', ['values.yaml:1:10 yaml: This [ is never closed. | Add the ].']],
  ])('%s is said at its place', (_, content, says) => {
    expect(said({ sources: [base], varFiles: [values(content)] })).toEqual(says);
  });

  test('with several documents it is not clear what values belong to', () => {
    const two = {
      name: 'two.yaml',
      content: `${platformFile()}---\n${platformFile({ machines: '{ libvirt: {} }' }, 'other')}`,
    };
    expect(said({ sources: [two], varFiles: [values('cluster: {}\n')] })).toEqual([
      'values.yaml:1:1 ambiguous-overlay: There are 2 documents (Platform prod, Platform other): it is not clear which one this belongs to. | Give one file at a time, or an overlay with apiVersion, kind and metadata.name by -f.',
    ]);
  });

  test('of a Platform and a Substrate it is the Platform', () => {
    const substrate = {
      name: 'cloud.yaml',
      content:
        'apiVersion: ichor.dev/v1alpha1\nkind: Substrate\nmetadata: { name: cloud }\nspec: { image: { url: "file:///a", checksum: "sha256:0000000000000000000000000000000000000000000000000000000000000000" } }\n',
    };
    expect(specOf({ sources: [base, substrate], varFiles: [values('cluster: { name: x }\n')] })).toMatchObject({
      name: 'x',
    });
  });
});

describe('--set', () => {
  test.each<[setting: string, cluster: unknown]>([
    ['cluster.controlPlane.replicas=5', { controlPlane: { replicas: 5, cpu: 4 }, certSANs: ['a', 'b'] }],
    ['spec.cluster.controlPlane.replicas=5', { controlPlane: { replicas: 5, cpu: 4 }, certSANs: ['a', 'b'] }],
    ['cluster.name="5"', { name: '5', controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'b'] }],
    ['cluster.name=', { name: '', controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'b'] }],
    ['cluster.certSANs=[c, d]', { controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['c', 'd'] }],
    ['cluster.certSANs[1]=c', { controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'c'] }],
    ['cluster.certSANs[2]=c', { controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'b', 'c'] }],
    [
      'cluster.patches[0].machine.type=worker',
      { controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'b'], patches: [{ machine: { type: 'worker' } }] },
    ],
    [
      'cluster.workers={ general: { replicas: 2 } }',
      { controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'b'], workers: { general: { replicas: 2 } } },
    ],
    ['cluster.controlPlane={ cpu: 8 }', { controlPlane: { replicas: 3, cpu: 8 }, certSANs: ['a', 'b'] }],
    ['cluster.certSANs=null', { controlPlane: { replicas: 3, cpu: 4 } }],
    ['cluster.workers=null', { controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'b'] }],
    [
      'cluster.sysctls["net.core.somaxconn"]="1024"',
      { controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'b'], sysctls: { 'net.core.somaxconn': '1024' } },
    ],
    [
      'cluster.sysctls["a=b"]=c',
      { controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'b'], sysctls: { 'a=b': 'c' } },
    ],
    ['cluster.name=a=b', { name: 'a=b', controlPlane: { replicas: 3, cpu: 4 }, certSANs: ['a', 'b'] }],
  ])('%s', (setting, cluster) => {
    expect(specOf({ sources: [base], settings: [setting] })).toEqual(cluster);
  });

  test('the last one wins, over files of values too', () => {
    const varFiles = [{ name: 'v', content: 'cluster: { controlPlane: { cpu: 8 } }' }];
    expect(
      specOf({ sources: [base], varFiles, settings: ['cluster.controlPlane.cpu=16', 'cluster.controlPlane.cpu=32'] }),
    ).toEqual({
      controlPlane: { replicas: 3, cpu: 32 },
      certSANs: ['a', 'b'],
    });
  });

  test('the platform can be given another name', () => {
    expect(read({ sources: [base], settings: ['metadata.name=staging'] }).platforms[0]?.machines[0]?.name).toBe(
      'staging-cp-0',
    );
  });

  test.each<[what: string, settings: readonly string[], says: readonly string[]]>([
    [
      'no value',
      ['cluster.name'],
      [
        '--set:1:1 set: This is not of the form path=value. | Write for example --set cluster.controlPlane.replicas=3; quote keys with dots: --set \'…zones["example.org"].ttl=60\'',
      ],
    ],
    [
      'no path',
      ['cluster.name=a', '=5', 'a..b=1', 'a["\\x"]=1'],
      [2, 3, 4].map(
        (line) =>
          `--set:${line}:1 set: This is not of the form path=value. | Write for example --set cluster.controlPlane.replicas=3; quote keys with dots: --set '…zones["example.org"].ttl=60'`,
      ),
    ],
    ['a broken value', ['cluster.certSANs=[a'], ['--set:1:18 yaml: This [ is never closed. | Add the ].']],
    [
      'a broken value of several lines',
      ['cluster.name=a', 'cluster.certSANs=\n- a\n- [b'],
      ['--set:4:3 yaml: This [ is never closed. | Add the ].'],
    ],
    [
      'several documents',
      ['cluster.name=a\n---\nb'],
      ['--set:1:14 set: A value is one document, and here are several. | Leave the --- out.'],
    ],
    [
      'a wrong value',
      ['cluster.name=a', 'cluster.controlPlane.replicas=many'],
      ['--set:2:31 wrong-type: Expected a whole number from 1 to 9, found "many". | Write a whole number from 1 to 9.'],
    ],
    [
      'an unknown key',
      ['cluster.controlPlan.replicas=3'],
      ['--set:1:1 unknown-key: Unknown key "controlPlan" in spec.cluster. | Did you mean "controlPlane"?'],
    ],
    [
      'a gap in a list',
      ['cluster.certSANs[7]=c'],
      ['--set:1:1 set: spec.cluster.certSANs has 2 items, so [7] would leave a gap. | Use [2] to add one.'],
    ],
    [
      'an item of what is no list',
      ['cluster.controlPlane[0]=c'],
      [
        '--set:1:1 set: spec.cluster.controlPlane is not a list, so it has no [0]. | Name a key: spec.cluster.controlPlane.KEY=…',
      ],
    ],
    [
      'a key of what is a list',
      ['cluster.certSANs.a=c'],
      ['--set:1:1 set: spec.cluster.certSANs is a list, so it has no "a". | Count from 0: spec.cluster.certSANs[0]=…'],
    ],
    [
      'a value under a value',
      ['cluster.controlPlane.replicas.x=1'],
      [
        '--set:1:1 wrong-type: Expected a whole number from 1 to 9, found a mapping. | Write a whole number from 1 to 9.',
      ],
    ],
  ])('%s', (_, settings, says) => {
    expect(said({ sources: [base], settings })).toEqual(says);
  });
});

test('anchors stay in their file, and what an alias brings is found where it was written', () => {
  const content = `${header()}spec:\n  machines: { libvirt: {} }\n  cluster:\n    workers:\n      a: &size { cpus: 4 }\n      b: *size\n`;
  expect(said(content)).toEqual([
    '8:18 unknown-key: Unknown key "cpus" in spec.cluster.workers.a. | Did you mean "cpu"?',
    '8:18 unknown-key: Unknown key "cpus" in spec.cluster.workers.b. | Did you mean "cpu"?',
  ]);
});

test('every value knows the file and line that it came from', () => {
  const { documents } = readDocuments({
    sources: [base, over('{ cluster: { controlPlane: { memory: 8GiB } } }')],
    varFiles: [{ name: 'v.yaml', content: 'cluster: { name: x }' }],
    settings: ['cluster.endpoint.vip=10.0.0.5'],
  });
  const found: string[] = [];
  const walk = (tree: Tree, path: Path): void => {
    if (tree.kind !== 'map') found.push(`${formatPath(path)} ${tree.at.file}:${tree.at.line}:${tree.at.column}`);
    else for (const [key, { value }] of tree.entries) walk(value, [...path, key]);
  };
  for (const { tree } of documents) walk(tree, []);
  expect(found.filter((place) => place.startsWith('spec.cluster'))).toEqual([
    'spec.cluster.controlPlane.replicas base.yaml:6:40',
    'spec.cluster.controlPlane.cpu base.yaml:6:48',
    'spec.cluster.controlPlane.memory over.yaml:4:44',
    'spec.cluster.certSANs base.yaml:6:63',
    'spec.cluster.name v.yaml:1:18',
    'spec.cluster.endpoint.vip --set:1:22',
  ]);
});

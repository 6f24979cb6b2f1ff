import type { Input } from '../../src/spec/documents.ts';

const platform = 'apiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: { name: a }\nspec:\n';
const viti = (controlplane: string, workers: string, data = '') =>
  `apiVersion: vitistack.io/v1alpha1\nkind: KubernetesCluster\nmetadata: { name: a }\nspec: { topology: { controlplane: ${controlplane}, workers: ${workers} }${data} }\n`;
const file = (content: string): Input => ({ sources: [{ name: 'a.yaml', content }] });
const many = (count: number, item: (index: number) => string, between = ', '): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(between);

/** What once crashed the reader, hung it, or made it say something wrong. */
export const kept: readonly (readonly [string, Input])[] = [
  ['an apiVersion that every object has', file('apiVersion: constructor\nkind: Platform\n')],
  ['an apiVersion that is the prototype', file('apiVersion: __proto__\nkind: Platform\n')],
  ['a pool that is the prototype', file(`${platform}  cluster: { workers: { __proto__: { replicas: 3 } } }\n`)],
  ['a pool called constructor', file(`${platform}  cluster: { workers: { constructor: { replicas: x } } }\n`)],
  ['a key that is not a number', file(`${platform}  .nan: 1\n`)],
  ['a setting with a bad escape', { ...file(platform), settings: ['a["\\x"]=1'] }],
  ['a setting with a line break in its path', { ...file(platform), settings: ['a["\n"]=1'] }],
  ['a setting of several lines', { ...file(platform), settings: ['cluster={\n  a: [\n', 'cluster.talos=*x'] }],
  ['eleven control planes of Viti', file(viti('{ replicas: 11 }', '[{ name: a }]'))],
  ['a hundred pools of Viti', file(viti('{}', `[${many(100, (index) => `{ name: p${index} }`)}]`))],
  ['a pool of Viti without a name', file(viti('{}', '[{ replicas: 1 }, 5]'))],
  ['labels that no node can have', file(viti('{ metadata: { labels: { "a b": "c d" } } }', '[{ name: a }]'))],
  ['a taint that no node can have', file(viti('{}', '[{ name: a, taint: [{ key: "", effect: Never }] }]'))],
  ['seventeen disks of Viti', file(viti(`{ storage: [${many(18, () => '{ size: 1Gi }')}] }`, '[{ name: a }]'))],
  ['a cluster id that no machine can have', file(viti('{}', '[{ name: a }]', ', data: { clusterId: "My Cluster" }'))],
  [
    'a network of Viti that is none',
    file(
      `${viti('{}', '[{ name: a }]', ', data: { networkNamespaceName: n }')}---\napiVersion: vitistack.io/v1alpha1\nkind: NetworkNamespace\nmetadata: { name: n }\nspec: { datacenterIdentifier: aa, supervisorIdentifier: bb, ipAllocation: { type: static, static: { ipv4CIDR: 999.999.999.999/99, ipv4Gateway: x } } }\n`,
    ),
  ],
  [
    'a class of Viti with one core',
    file(
      `${viti('{ machineClass: one }', '[{ name: a }]')}---\napiVersion: vitistack.io/v1alpha1\nkind: MachineClass\nmetadata: { name: one }\nspec: { cpu: { cores: 1 }, memory: { quantity: 1e3 }, machineProviders: [] }\n`,
    ),
  ],
  [
    'a mapping where a quantity stands',
    file(
      'apiVersion: vitistack.io/v1alpha1\nkind: MachineClass\nmetadata: { name: one }\nspec: { cpu: { cores: 1 }, memory: { quantity: { a: 1 } }, machineProviders: [] }\n',
    ),
  ],
  [
    'a mapping where one of a few words stands',
    file(
      `${platform}  machines: { libvirt: { network: { mode: { a: 1 }, bridge: x } } }\n  cluster: { network: { addresses: {} } }`,
    ),
  ],
  ['half a million quotes', file('"'.repeat(500_000))],
  ['a hundred thousand keys', file(many(100_000, (index) => `a${index}:`, '\n'))],
  ['unknown keys without end', file(`${platform}${many(30_000, (index) => `  zz${index}: 1`, '\n')}`)],
  ['hosts without end', file(`${platform}  machines: { proxmox: { hosts: [${many(60_000, () => 'h')}] } }`)],
  [
    'machines without end',
    file(`${platform}  cluster: { workers: { ${many(64, (index) => `p${index}: { replicas: 5000 }`)} } }`),
  ],
  [
    'machines without end, and others that are none of them',
    file(
      `${platform}  cluster: { workers: { a: { replicas: 4999 } }, nodes: { ${many(1000, (index) => `b-${index}: { host: h }`)} } }`,
    ),
  ],
  ['documents without end', file('---\n'.repeat(100_000))],
  ['commas without end', file(`a: [${','.repeat(190_000)}]`)],
  ['a name without end', file(`${platform.replace('name: a', `name: ${'n'.repeat(500_000)}`)}  cluster: {}`)],
  [
    'a key without end above many mistakes',
    file(`${platform}  cluster: { workers: { ${'k'.repeat(1000)}: { ${many(1000, (index) => `u${index}: 1`)} } } }`),
  ],
  [
    'one long text named again and again',
    file(`${platform}  a: &a ${'x'.repeat(300_000)}\n  b: [${many(30_000, () => '*a')}]\n`),
  ],
];

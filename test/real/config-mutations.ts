import fc from 'fast-check';
import { kinds } from '../../src/lab/talos/config/fields/kinds.ts';
import { fieldsOf, type FieldType } from '../../src/lab/talos/config/fields/table.ts';
import { wordsOf } from '../../src/lab/talos/config/fields/words.ts';

/** A document as plain values. */
export type Plain = Record<string, unknown>;

const minor = 13;
const bytes = (text: string): string => Buffer.from(text).toString('base64');
const pair = { crt: bytes('certificate'), key: bytes('key') };

const controlPlane = (): Plain => ({
  version: 'v1alpha1',
  persist: true,
  machine: {
    type: 'controlplane',
    token: 'abcdef.0123456789abcdef',
    ca: pair,
    certSANs: ['10.0.0.1'],
    kubelet: { image: 'example.org/kubelet:v1.36.1', nodeIP: { validSubnets: ['10.0.0.0/24'] } },
    network: {
      interfaces: [
        {
          interface: 'eth0',
          addresses: ['10.0.0.5/24'],
          routes: [{ network: '0.0.0.0/0', gateway: '10.0.0.1' }],
          vip: { ip: '10.0.0.9' },
        },
        {
          interface: 'bond0',
          bond: { interfaces: ['eth1', 'eth2'], mode: '802.3ad', lacpRate: 'fast', miimon: 100, updelay: 200 },
        },
      ],
    },
    install: { disk: '/dev/sda', image: 'example.org/installer:v1.13.9', wipe: false },
    features: { hostDNS: { enabled: true, forwardKubeDNSToHost: true }, kubePrism: { enabled: true, port: 7445 } },
    nodeLabels: { 'example.org/role': 'a', plain: '' },
    nodeTaints: { 'example.org/only': 'x:NoSchedule' },
    logging: { destinations: [{ endpoint: 'udp://10.0.0.1:514/', format: 'json_lines' }] },
    systemDiskEncryption: { ephemeral: { provider: 'luks2', keys: [{ slot: 0, nodeID: {} }] } },
  },
  cluster: {
    id: 'aWQ=',
    secret: 'c2VjcmV0',
    controlPlane: { endpoint: 'https://10.0.0.9:6443' },
    clusterName: 'demo',
    network: {
      dnsDomain: 'cluster.local',
      podSubnets: ['10.244.0.0/16'],
      serviceSubnets: ['10.96.0.0/12'],
      cni: { name: 'none' },
    },
    token: 'abcdef.0123456789abcdef',
    ca: pair,
    aggregatorCA: pair,
    serviceAccount: { key: bytes('key') },
    apiServer: {
      image: 'example.org/kube-apiserver:v1.36.1',
      certSANs: ['a.example.org'],
      extraArgs: { v: '4', 'audit-x': ['a', 'b'] },
    },
    discovery: { enabled: true, registries: { service: {} } },
    etcd: { ca: pair, advertisedSubnets: ['10.0.0.0/24'] },
    inlineManifests: [{ name: 'one', contents: 'a: b' }],
    externalCloudProvider: { enabled: true, manifests: ['https://example.org/a.yaml'] },
  },
});

const worker = (): Plain => ({
  version: 'v1alpha1',
  machine: { type: 'worker', token: 'a.b', ca: { crt: pair.crt, key: '' }, install: { disk: '/dev/sda' }, network: {} },
  cluster: {
    id: 'aWQ=',
    secret: 'cw==',
    controlPlane: { endpoint: 'https://10.0.0.9:6443' },
    discovery: { enabled: true },
  },
});

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    1,
    -1,
    7,
    300,
    70_000,
    1.5,
    '',
    'x',
    'yes',
    'off',
    '10',
    '1h',
    '-5s',
    '30s',
  ),
  fc.constantFrom<unknown>(
    '10.0.0.1',
    '10.0.0.300',
    '10.0.0.0/24',
    '10.0.0.0/33',
    '0.0.0.0/0',
    'fd00::1',
    'fd00::/64',
    '::',
    '1.2.3',
    'a.b.c.d',
  ),
  fc.constantFrom<unknown>(
    'https://a:6443',
    'http://[::1]:80',
    'ftp://x',
    '://y',
    'https://',
    'https://a:99999',
    'tcp://1.2.3.4:5/',
    'udp://h',
    'a b',
  ),
  fc.constantFrom<unknown>(
    'eth0',
    'bond0',
    'active-backup',
    'luks2',
    'flannel',
    'custom',
    'worker',
    'controlplane',
    'init',
    'join',
    'banana',
    'stable',
  ),
  fc.constantFrom<unknown>(
    '10GiB',
    '5 MB',
    '1XB',
    '50%',
    '150%',
    '-1GB',
    '>= 20GB',
    '!!',
    'YWJj',
    'AAAA=',
    'a/b/c',
    '-bad-',
    'A_b',
  ),
  fc.constantFrom<unknown>([], {}, ['x'], [null], { a: 1 }, [{}], [['y']], { x: { y: 'z' } }),
  fc.string({ maxLength: 6 }),
);

/** A value that a type of the table may hold, more often right than wrong. */
function valueFor(type: FieldType, depth: number): fc.Arbitrary<unknown> {
  const right = rightFor(type, depth);
  return fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: odd });
}

const scalars: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.constantFrom(
    'a',
    '',
    'eth0',
    '10.0.0.1',
    '10.0.0.0/24',
    'https://a.example:1',
    'x.example',
    '/dev/sda',
    '100',
  ),
  bool: fc.boolean(),
  duration: fc.constantFrom('1s', '2h', '-1s', '0', '500ms'),
};

const texts: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Addr: fc.constantFrom('10.0.0.1', 'fd00::1', '0.0.0.0', '::', ''),
  Prefix: fc.constantFrom('10.0.0.0/24', 'fd00::/64', '0.0.0.0/0', ''),
  AddrPort: fc.constantFrom('10.0.0.1:80', '[fd00::1]:80', '10.0.0.1'),
  HardwareAddr: fc.constantFrom('aa:bb:cc:dd:ee:ff', 'zz', ''),
  ByteSize: fc.constantFrom('10GiB', '1MB', '-1GB', '20 TB'),
  Size: fc.constantFrom('10GiB', '50%', '-1GB', '100MB', '-10%'),
  FailOverMAC: fc.constantFrom('none', 'active', 'x'),
  RoutingTable: fc.constantFrom('main', 'local', '100', 'x'),
  Expression: fc.constant(''),
};

const owns: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  PEMEncodedCertificateAndKey: fc.constantFrom<unknown>(pair, { crt: pair.crt, key: '' }, { crt: '' }, {}),
  PEMEncodedCertificate: fc.constantFrom<unknown>({ crt: pair.crt }, {}),
  PEMEncodedKey: fc.constantFrom<unknown>({ key: pair.key }, {}),
  ArgValue: fc.constantFrom<unknown>('a', ['a', 'b'], '', 3),
  PortRange: fc.constantFrom<unknown>(80, '80-90', 443, '85-95', '9-1', 'x'),
  Endpoint: fc.constantFrom('https://10.0.0.9:6443', 'tcp://a:1', 'https://b', 'udp://:5'),
  URL: fc.constantFrom('https://10.0.0.9:6443', 'tcp://a:1/', 'grpc://b:1/c', ''),
  DiskSize: fc.constantFrom('10GiB', '0', '1 GB'),
  Base64Bytes: fc.constantFrom('YWJj', ''),
  InstallDiskSizeMatcher: fc.constantFrom('>= 20GB', '<= 1TB', '== 4 GiB', '10GB'),
};

function rightFor(type: FieldType, depth: number): fc.Arbitrary<unknown> {
  const short = 'name' in type ? (type.name.split('.')[1] ?? type.name) : '';
  switch (type.kind) {
    case 'scalar':
      return scalars[type.name] ?? fc.constantFrom<unknown>(0, 1, 5, 1500, 100, 4094, 2);
    case 'text':
      return texts[short] ?? fc.constantFrom(...(wordsOf[type.name] ?? ['x']));
    case 'own':
      return owns[short] ?? fc.constant('x');
    case 'free':
    case 'any':
      return fc.constantFrom<unknown>({}, { cpu: 1, memory: '1Gi' }, { port: 1 }, { kind: 'X', nested: { a: [1] } });
    case 'pointer':
      return rightFor(type.of, depth);
    case 'list':
      return fc.array(valueFor(type.of, depth + 1), { maxLength: 2 });
    case 'map':
      return fc.dictionary(
        fc.constantFrom('a', 'example.org/b', 'KEY', 'bad key', '_x'),
        valueFor(type.of, depth + 1),
        {
          maxKeys: 2,
          noNullPrototype: true,
        },
      );
    case 'struct':
      return structFor(type.name, depth + 1);
  }
}

function structFor(name: string, depth: number): fc.Arbitrary<Plain> {
  const fields = fieldsOf(name, minor);
  if (fields.length === 0) return fc.constant({});
  const some = depth > 3 ? 1 : 4;
  return fc
    .subarray([...fields], { maxLength: Math.min(some, fields.length) })
    .chain((chosen) =>
      fc.tuple(...chosen.map(({ key, type }) => valueFor(type, depth).map((value) => [key, value] as const))),
    )
    .map((pairs) => Object.fromEntries(pairs));
}

const names = fc.constantFrom('a', 'eth0', '10.0.0.9', 'EPHEMERAL', 'STATE', '100', 'data', '10.0.0.0/8', 'net%d', '');
const expressions = fc.constantFrom('true', '');

/** A document of any kind of this minor. */
const documents: fc.Arbitrary<Plain> = fc
  .constantFrom(...Object.entries(kinds).filter(([, { from, to = minor }]) => from <= minor && to >= minor))
  .chain(([kind, { type }]) =>
    fc.tuple(structFor(type, 1), names, expressions).map(([content, name, match]) => {
      const named = fieldsOf(type, minor).some(({ key }) => key === 'name');
      const { apiVersion: _version, kind: _kind, ...rest } = content;
      const selected = kind === 'LinkAliasConfig' && match !== '' ? { selector: { match: 'true' } } : {};
      return { apiVersion: 'v1alpha1', kind, ...rest, ...(named ? { name } : {}), ...selected };
    }),
  );

type Step = { readonly at: number; readonly how: number; readonly value: unknown };

/** Changes one place of a document. */
function mutate(document: Plain, { at, how, value }: Step): Plain {
  const copy = structuredClone(document);
  const places: { readonly holder: Plain | unknown[]; readonly key: string | number }[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach((item, key) => (places.push({ holder: node, key }), visit(item)));
    else if (typeof node === 'object' && node !== null)
      for (const [key, item] of Object.entries(node)) {
        places.push({ holder: node as Plain, key });
        visit(item);
      }
  };
  visit(copy);
  const place = places[at % Math.max(places.length, 1)];
  if (place === undefined) return copy;
  const { holder, key } = place;
  const slot = holder as Record<string | number, unknown>;
  if (how === 0) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  } else if (how === 1) slot[key] = value;
  else if (how === 2) slot[Array.isArray(holder) ? holder.length : 'nope'] = value;
  else if (Array.isArray(holder)) holder.push(structuredClone(slot[key]));
  else slot[`${key}x`] = slot[key];
  return copy;
}

const steps = fc.record({ at: fc.nat(500), how: fc.nat(3), value: odd });

const grown = (base: Plain): fc.Arbitrary<Plain> =>
  fc.constantFrom('machine', 'cluster').chain((part) =>
    structFor(part === 'machine' ? 'v1alpha1.MachineConfig' : 'v1alpha1.ClusterConfig', 1).map((more) => ({
      ...base,
      [part]: { ...(base[part] as Plain), ...more },
    })),
  );

const mains = fc.constantFrom(controlPlane, worker).chain((make) =>
  fc.oneof(
    fc.constant(make()),
    { weight: 3, arbitrary: grown(make()) },
    {
      weight: 4,
      arbitrary: fc.array(steps, { minLength: 1, maxLength: 2 }).map((all) => all.reduce(mutate, make())),
    },
  ),
);

/** Configurations near what people write, with mistakes in them. */
export const configs: fc.Arbitrary<readonly Plain[]> = fc.oneof(
  { weight: 4, arbitrary: mains.map((main) => [main]) },
  { weight: 4, arbitrary: fc.array(documents, { minLength: 1, maxLength: 2 }) },
  { weight: 2, arbitrary: fc.tuple(mains, documents) },
  { weight: 1, arbitrary: fc.tuple(documents, steps).map(([document, step]) => [mutate(document, step)]) },
);

/** A configuration, and the same with a few places changed. */
export const changedConfigs: fc.Arbitrary<readonly [readonly Plain[], readonly Plain[]]> = fc
  .tuple(configs, fc.array(steps, { minLength: 1, maxLength: 3 }))
  .map(([before, all]) => [before, before.map((document, at) => (at === 0 ? all.reduce(mutate, document) : document))]);

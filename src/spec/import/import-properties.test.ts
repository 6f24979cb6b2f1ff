import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { isError } from '../../model/problem.ts';
import { read } from '../read.ts';
import { importPlatform, type Imported } from './import.ts';

/** Stands for every secret; wherever it is met, one has leaked. */
const marker = 'hunter2hunter2';

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    '',
    0,
    1,
    3,
    -1,
    1.5,
    8192,
    'x',
    'Ünï',
    '10.0.0.5',
    '8GiB',
    [],
    {},
    ['a'],
    [1, null],
    { a: 1 },
  ),
  fc.string({ maxLength: 12 }),
);
const orJunk = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: junk });
const some = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, orJunk(value)])), {
    requiredKeys: [],
  });

const secrets = fc.constantFrom(marker, `tskey-${marker}`, `-----BEGIN PRIVATE KEY-----\n${marker}\n`);
const machineConfiguration = some({
  token: secrets,
  env: some({ HTTPS_PROXY: fc.constant(`https://user:${marker}@proxy.example.org`), A: fc.constant('b') }),
  files: fc.array(some({ path: fc.constant('/var/a'), content: fc.constant(`PASSWORD=${marker}`) }), { maxLength: 2 }),
  registries: some({
    config: some({
      'ghcr.io': some({
        auth: some({ username: fc.constant('robot'), password: secrets, auth: fc.constant(`password:${marker}`) }),
      }),
    }),
  }),
  systemDiskEncryption: some({
    state: some({
      provider: fc.constant('luks2'),
      keys: fc.array(some({ slot: fc.nat(3), static: some({ passphrase: secrets }), tpm: fc.constant({}) })),
    }),
  }),
  network: some({
    interfaces: fc.array(some({ interface: fc.constant('wg0'), wireguard: some({ privateKey: secrets }) }), {
      maxLength: 2,
    }),
  }),
});

const size = some({
  vcpu: fc.integer({ min: 1, max: 16 }),
  memory: fc.constantFrom(2048, 8192, '8GiB', 16),
  disk: fc.constantFrom(40, '40G'),
});
const hosts = ['pve1', 'pve2', 'pve3'];
const variables = some({
  cluster_name: fc.constantFrom('prod', 'My_Cluster', 'a'),
  environment: fc.constant('test'),
  ha_enabled: fc.boolean(),
  control_plane_count: fc.constantFrom(1, 3, 5, 2, '3'),
  worker_count: fc.integer({ min: 0, max: 5 }),
  proxmox: some({
    endpoint: fc.constantFrom('pve1', 'https://pve1.example.org:8006', `https://root:${marker}@pve1`),
    insecure: fc.boolean(),
    target_nodes: fc.subarray(hosts),
    datastore_id: fc.constant('tank'),
    vlan_id: fc.integer({ min: 0, max: 4094 }),
    api_token: secrets,
    password: secrets,
  }),
  proxmox_api_token_id: fc.constant(`ci@pve!${marker}`),
  proxmox_api_token_secret: secrets,
  placement: some({
    strategy: fc.constantFrom('spread', 'pin', 'round_robin'),
    pinned: fc.dictionary(
      fc.constantFrom(...hosts),
      fc.array(fc.constantFrom('prod-cp-01', 'prod-cp-02', 'prod-cp-03', 'prod-wk-01')),
    ),
  }),
  sizing: some({ control_plane: size, worker: size }),
  pve_capacity: fc.dictionary(fc.constantFrom(...hosts), size),
  load_balancer: some({
    enabled: fc.boolean(),
    strategy: fc.constantFrom('talos_native', 'external'),
    vip: fc.constant('10.0.0.5'),
  }),
  talos: some({
    iso: fc.constantFrom('local:iso/talos-1.9.0.iso', 'talos.iso'),
    version: fc.constantFrom('v1.12.4', '1.13.9', 'v1.2.3'),
    extensions: fc.array(fc.constant('siderolabs/iscsi-tools'), { maxLength: 2 }),
    extra_manifests: fc.array(fc.constantFrom('https://example.org/a.yaml', `https://example.org/a?token=${marker}`)),
    inline_manifests: fc.array(
      some({
        name: fc.constant('a'),
        file: fc.constant('a.yaml'),
        contents: fc.constant(`kind: Secret\nstringData: { a: ${marker} }`),
      }),
    ),
    machine: machineConfiguration,
  }),
});

const hcl = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(hcl).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{\n${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)} = ${hcl(inner)}\n`)
      .join('')}}`;
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
};
const quoted = (text: string): string => {
  const escaped = (character: string): string => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
  return `"${text.replace(/[^\w .:/@!=?-]/gu, escaped)}"`;
};
const tfvars = variables.map((values) =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${hcl(value)}\n`)
    .join(''),
);

const groupSettings = {
  nodeLabels: some({ zone: fc.constantFrom('a', '{{ .x }}', '${ZONE}') }),
  nodeTaints: some({ gpu: fc.constantFrom('true:NoSchedule', 'NoExecute', 'odd') }),
  machineFiles: fc.array(
    some({
      path: fc.constant('/var/a'),
      op: fc.constant('create'),
      permissions: fc.constant(0o600),
      content: fc.constantFrom('plain', '@./file', `API_KEY=${marker}`),
    }),
    { maxLength: 2 },
  ),
  kernelModules: fc.constant([{ name: 'br_netfilter' }]),
  nameservers: fc.constantFrom(['10.0.0.1'], ['10.0.0.2']),
  networkInterfaces: fc.array(
    some({
      interface: fc.constantFrom('eth0', 'wg0'),
      addresses: fc.constant(['10.0.0.11/24']),
      vip: fc.constant({ ip: '10.0.0.5' }),
      wireguard: some({ privateKey: secrets }),
    }),
    { maxLength: 2 },
  ),
  certSANs: fc.constant(['a.example.org']),
  patches: fc.array(
    fc.oneof(
      fc.constantFrom(
        '@./a.yaml',
        'machine: { env: { A: "${A}" } }',
        '[{ "op": "remove", "path": "/machine/a" }]',
        `[{ "op": "add", "path": "/machine/token", "value": "${marker}" }]`,
        'machine: {{ x }}',
        `machine: [${marker}`,
      ),
      machineConfiguration.map((machine) => stringify({ machine })),
      fc.constant(`apiVersion: v1alpha1\nkind: WireguardConfig\nname: wg0\nprivateKey: ${marker}\n`),
    ),
    { maxLength: 3 },
  ),
  talosImageURL: fc.constant(`factory.talos.dev/installer/${'ab'.repeat(32)}`),
  schematic: some({
    customization: some({
      extraKernelArgs: fc.constant(['a=b']),
      systemExtensions: some({ officialExtensions: fc.subarray(['siderolabs/tailscale', 'siderolabs/gvisor']) }),
    }),
  }),
  machineSpec: some({
    arch: fc.constantFrom('amd64', 'arm64'),
    secureboot: fc.boolean(),
    mode: fc.constantFrom('metal', 'nocloud'),
  }),
  ingressFirewall: some({
    defaultAction: fc.constant('block'),
    rules: fc.array(some({ name: fc.constant('a') }), { maxLength: 2 }),
  }),
  extensionServices: fc.array(
    some({
      name: fc.constantFrom('tailscale', 'nut-client'),
      environment: fc.array(fc.constantFrom(`TS_AUTHKEY=${marker}`, 'A=b', 'nonsense')),
      configFiles: fc.array(
        some({ mountPath: fc.constant('/etc/a'), content: fc.constantFrom('plain', `pass ${marker}`) }),
      ),
    }),
    { maxLength: 2 },
  ),
  volumes: fc.array(
    some({
      name: fc.constantFrom('STATE', 'EPHEMERAL'),
      encryption: some({
        provider: fc.constant('luks2'),
        keys: fc.array(some({ static: some({ passphrase: secrets }), nodeID: fc.constant({}) }), { maxLength: 2 }),
      }),
    }),
    { maxLength: 2 },
  ),
};
const talconfig = some({
  clusterName: fc.constantFrom('home', 'Home Lab'),
  talosVersion: fc.constantFrom('v1.11.6', '1.12.4', '${VERSION}'),
  kubernetesVersion: fc.constantFrom('v1.33.1', '1.34.0'),
  endpoint: fc.constantFrom('https://10.0.0.5:6443', 'https://k8s.example.org', 'nonsense'),
  cniConfig: some({
    name: fc.constantFrom('none', 'flannel', 'custom', 'odd'),
    urls: fc.constant(['https://example.org/cni.yaml']),
  }),
  patches: groupSettings.patches,
  inlineManifests: fc.array(
    some({
      name: fc.constantFrom('a', 'B c'),
      contents: fc.constantFrom('kind: ConfigMap', `kind: Secret\ndata: { a: ${marker} }`, '@./a'),
    }),
    { maxLength: 2 },
  ),
  nodes: fc.array(
    some({
      hostname: fc.constantFrom('home-cp-0', 'atlas', 'Atlas'),
      ipAddress: fc.constantFrom('10.0.0.11', '10.0.0.12, 10.1.0.12', 'atlas.example.org'),
      controlPlane: fc.boolean(),
      installDisk: fc.constant('/dev/sda'),
      ignoreHostname: fc.boolean(),
      ...groupSettings,
    }),
    { maxLength: 5 },
  ),
  controlPlane: some(groupSettings),
  worker: some(groupSettings),
});

/** Its own reader agrees with what the import said, and nothing secret came along. */
function holds({ file, notes, problems }: Imported): void {
  for (const { message, remedy } of problems)
    expect([message, remedy]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
  if (file === undefined) expect(problems.some(isError)).toBe(true);
  else {
    const reading = read({ sources: [{ name: 'platform.yaml', content: file }] });
    const wrong = reading.problems.filter(isError).map(({ message }) => message);
    expect(
      problems
        .filter(isError)
        .map(({ message }) => message)
        .toSorted(),
    ).toEqual(wrong.toSorted());
    expect(reading.platforms).toHaveLength(wrong.length === 0 ? 1 : 0);
  }
  const shown = [
    file,
    ...notes.flatMap(({ path, message }) => [path, message]),
    ...problems.flatMap(({ path, message, remedy }) => [path, message, remedy]),
  ];
  expect(shown.filter((text) => text?.includes(marker))).toEqual([]);
}

const runs = 100;
const timeout = 60_000;
const imported = (name: string, content: string): Imported =>
  importPlatform([{ name, content }], { from: name === 'a.tfvars' ? 'tfvars' : 'talhelper', target: 'platform.yaml' });

test(
  'whatever variables are imported, the file is right or the problems say why, and no secret is in it',
  () => {
    fc.assert(
      fc.property(tfvars, (text) => holds(imported('a.tfvars', text))),
      { numRuns: runs },
    );
  },
  timeout,
);

test(
  'whatever talconfig is imported, the file is right or the problems say why, and no secret is in it',
  () => {
    fc.assert(
      fc.property(talconfig, (values) => holds(imported('talconfig.yaml', stringify(values)))),
      { numRuns: runs },
    );
  },
  timeout,
);

test(
  'most of what people would write is right',
  () => {
    const outcomes = fc.sample(tfvars, { numRuns: 200, seed: 7 }).map((text) => imported('a.tfvars', text));
    const right = outcomes.filter(({ file, problems }) => file !== undefined && !problems.some(isError));
    expect(right.length).toBeGreaterThan(40);
  },
  timeout,
);

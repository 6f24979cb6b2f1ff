import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { importPlatform } from './import.ts';

type Options = { readonly name?: string; readonly file?: string };

function imported(content: string, { name, file = 'a.tfvars' }: Options = {}) {
  const { file: text, notes, problems } = importPlatform([{ name: file, content }], { name, target: 'platform.yaml' });
  const platform = parse(text ?? 'null') as { metadata: { name: string }; spec: Record<string, unknown> } | null;
  return {
    name: platform?.metadata.name,
    spec: platform?.spec as { machines: Record<string, unknown>; cluster: Record<string, unknown> } | undefined,
    notes: notes.map(({ at, path, message }) => `${at?.line}:${at?.column} ${path}: ${message}`),
    problems: problems.map(({ at, code, message }) => `${at?.file}:${at?.line}:${at?.column} ${code}: ${message}`),
  };
}

const known = `cluster_name = "lab"
proxmox = { endpoint = "https://pve.example.org:8006", target_nodes = ["pve1", "pve2", "pve3"] }
proxmox_api_token = "x"
`;

test('the variables that a module of today has', () => {
  expect(
    imported(`cluster_identity = { name = "lab" }
cluster_topology = {
  control_plane = { replica_count = 3, availability = { mode = "ha" } }
  worker        = { replica_count = 2 }
}
node_profiles = {
  control_plane = { vcpu = 4, memory = 4096, disk = 60 }
  worker        = { vcpu = 10, memory = 8192, disk = 80 }
}
infrastructure_policy = { node_distribution_strategy = "spread" }
proxmox_platform = {
  placement_targets = { hostnames = ["pve1", "pve2", "pve3"] }
  storage           = { datastore_id = "tank" }
  network           = { bridge = "vmbr1", vlan_id = null }
}
capacity_budget = { pve1 = { vcpu = 40, memory = 32000 } }
proxmox_api_url = "https://pve.example.org:8006/api2/json"
proxmox_api_token_id = "ci@pve!tf"
talos = {
  image_factory = { version = "v1.12.4", arch = "amd64", storage = "isos", extensions = ["siderolabs/qemu-guest-agent"] }
  control_plane_machine_config = { vip = { ip = "10.0.0.5", interface = "ens18" } }
  extra_cluster_configuration = { network = { cni = { name = "none" } }, proxy = { disabled = true } }
  extra_machine_configuration = { features = { hostDNS = { forwardKubeDNSToHost = false } } }
}
`),
  ).toEqual({
    name: 'lab',
    spec: {
      machines: {
        proxmox: {
          endpoint: 'https://pve.example.org:8006',
          token: { env: 'PROXMOX_TOKEN' },
          hosts: ['pve1', 'pve2', 'pve3'],
          datastore: 'tank',
          imageDatastore: 'isos',
          bridge: 'vmbr1',
          capacity: { pve1: { cpu: 40, memory: '32000MiB' } },
        },
      },
      cluster: {
        talos: {
          version: 'v1.12.4',
          extensions: ['siderolabs/qemu-guest-agent'],
          image: { architecture: 'amd64' },
        },
        endpoint: { vip: '10.0.0.5', link: 'ens18' },
        highAvailability: true,
        controlPlane: { replicas: 3, cpu: 4, memory: '4GiB', disk: '60GiB' },
        workers: { general: { replicas: 2, cpu: 10, memory: '8GiB', disk: '80GiB' } },
        names: { controlPlane: '{platform}-cp-{number:2}', worker: '{platform}-wk-{number:2}' },
        placement: { strategy: 'spread' },
        cni: { none: {} },
        patches: [
          { machine: { features: { hostDNS: { forwardKubeDNSToHost: false } } } },
          { cluster: { proxy: { disabled: true } } },
        ],
      },
    },
    notes: ['18:1 proxmox_api_token_id: Not written to the file: it goes into PROXMOX_TOKEN, in front of the secret.'],
    problems: [],
  });
});

test('a file of JSON is the same file', () => {
  const written = {
    cluster_name: 'lab',
    worker_count: 2,
    proxmox: { endpoint: 'pve.example.org', nodes: ['pve1'] },
    proxmox_api_token: 'x',
    talos: { iso: 'local:iso/talos-1.9.0.iso' },
  };
  const { spec, notes } = imported(JSON.stringify(written, null, 2), { file: 'a.tfvars.json' });
  expect([spec?.machines, spec?.cluster['talos'], notes]).toEqual([
    {
      proxmox: { endpoint: 'https://pve.example.org:8006', token: { env: 'PROXMOX_TOKEN' }, hosts: ['pve1'] },
    },
    { version: 'v1.9.0', image: { iso: 'local:iso/talos-1.9.0.iso' } },
    ['10:3 proxmox_api_token: Not written to the file: export PROXMOX_TOKEN as USER@REALM!NAME=SECRET.'],
  ]);
});

test('a variable in a later file stands for that of an earlier one', () => {
  const { file, notes } = importPlatform(
    [
      { name: 'terraform.tfvars', content: known },
      { name: 'prod.auto.tfvars', content: 'cluster_name = "prod"\nproxmox_api_token_id = "a@pve!b"\n' },
    ],
    { target: 'platform.yaml' },
  );
  expect((parse(file ?? '') as { metadata: unknown }).metadata).toEqual({ name: 'prod' });
  expect(notes.map(({ at, path }) => `${at?.file}:${at?.line} ${path}`)).toEqual([
    'prod.auto.tfvars:2 proxmox_api_token_id',
    'terraform.tfvars:3 proxmox_api_token',
  ]);
});

test.each<[string, string]>([
  ['pve.example.org', 'https://pve.example.org:8006'],
  ['pve.example.org:8443', 'https://pve.example.org:8443'],
  ['https://10.0.0.2', 'https://10.0.0.2:8006'],
  ['https://pve.example.org:443/', 'https://pve.example.org:443'],
  ['https://pve.example.org:8006/api2/json', 'https://pve.example.org:8006'],
  ['http://pve.example.org:8006', 'https://pve.example.org:8006'],
  ['https://root:hunter2@pve.example.org', 'https://pve.example.org:8006'],
  ['https://[fd00::2]:8006', 'https://[fd00::2]:8006'],
])('the endpoint %s is %s', (written, expected) => {
  const { spec } = imported(`cluster_name = "lab"\nproxmox = { endpoint = "${written}" }\n`);
  expect(spec?.machines['proxmox']).toMatchObject({ endpoint: expected });
});

test('an address that is given twice is one address, another one is named', () => {
  const { spec, notes } = imported(`${known}proxmox_api_url = "pve.example.org/api2/json"
pm_api_url = "https://other.example.org:8006"
`);
  expect([(spec?.machines['proxmox'] as { endpoint: string } | undefined)?.endpoint, notes.slice(1)]).toEqual([
    'https://pve.example.org:8006',
    ['5:1 pm_api_url: Not carried over: another address is used.'],
  ]);
});

test('what is missing is filled in with an example, and said', () => {
  const { spec, notes, problems } = imported('cluster_name = "lab"\n');
  expect({ machines: spec?.machines, notes, problems }).toEqual({
    machines: {
      proxmox: { endpoint: 'https://pve1.example.org:8006', token: { env: 'PROXMOX_TOKEN' }, hosts: ['pve1'] },
    },
    notes: [
      '1:1 : No address of the Proxmox API is given: machines.proxmox.endpoint is an example to be filled in.',
      '1:1 : No credentials of the Proxmox API are given: export PROXMOX_TOKEN as USER@REALM!NAME=SECRET.',
      '1:1 : No hosts are named for the machines: machines.proxmox.hosts is an example to be filled in.',
    ],
    problems: [],
  });
});

test('user and password are used when there is no token', () => {
  const login = (credentials: string) => {
    const { spec, notes } = imported(
      `cluster_name = "lab"\nproxmox = {\n  endpoint = "pve"\n  hosts = ["pve1"]\n${credentials}}\n`,
    );
    const proxmox = spec?.machines['proxmox'] as { token?: unknown; login?: unknown } | undefined;
    return { token: proxmox?.token, login: proxmox?.login, notes };
  };
  expect(login('  username = "ci@pve"\n  password = "hunter2"\n')).toEqual({
    login: { username: 'ci@pve', password: { env: 'PROXMOX_PASSWORD' } },
    token: undefined,
    notes: ['6:3 proxmox.password: Not written to the file: export PROXMOX_PASSWORD.'],
  });
  expect(login('  password = "hunter2"\n  api_token = "a@pve!b=c"\n')).toEqual({
    login: undefined,
    token: { env: 'PROXMOX_TOKEN' },
    notes: [
      '5:3 proxmox.password: Not written to the file: the token is used.',
      '6:3 proxmox.api_token: Not written to the file: export PROXMOX_TOKEN as USER@REALM!NAME=SECRET.',
    ],
  });
});

test('machines are pinned by their names, and only those that there will be', () => {
  const placement = (pinned: string, strategy = 'pin') => {
    const { spec, notes, problems } = imported(
      `${known}control_plane_count = 3\nworker_count = 1\nplacement = {\n  strategy = "${strategy}"\n  pinned = ${pinned}\n}\n`,
    );
    return { placement: spec?.cluster['placement'], notes: notes.slice(1), problems };
  };
  expect(
    placement('{ pve1 = ["lab-cp-01", "lab-wk-01"], pve2 = ["lab-cp-02"], pve3 = ["lab-cp-03", "lab-wk-02"] }'),
  ).toEqual({
    placement: {
      strategy: 'pin',
      pinned: { 'lab-cp-01': 'pve1', 'lab-wk-01': 'pve1', 'lab-cp-02': 'pve2', 'lab-cp-03': 'pve3' },
    },
    notes: ['8:92 placement.pinned.pve3[1]: Not carried over: no machine will be called so.'],
    problems: [],
  });
  expect(placement('{ pve1 = ["lab-cp-01"], pve2 = ["lab-cp-01"] }')).toEqual({
    placement: { strategy: 'spread', pinned: { 'lab-cp-01': 'pve1' } },
    notes: [
      '7:3 placement.strategy: Becomes spread, because not every control plane is pinned: those that are stay so.',
      '8:44 placement.pinned.pve2[0]: Not carried over: it is pinned already.',
    ],
    problems: [],
  });
  expect(placement('{ pve1 = ["lab-cp-01"] }', 'round_robin')).toEqual({
    placement: { strategy: 'spread' },
    notes: [
      '7:3 placement.strategy: Becomes spread: ichor places machines evenly, by what each host has left.',
      '8:3 placement.pinned: Not carried over: it has no effect without the strategy pin.',
    ],
    problems: [],
  });
});

test('machines keep their names when the platform gets another one', () => {
  const { name, spec, problems } = imported(
    `${known}control_plane_count = 1\nplacement = { strategy = "pin", pinned = { pve1 = ["lab-cp-01"] } }\n`,
    { name: 'platform-7' },
  );
  expect({ name, cluster: spec?.cluster, problems }).toEqual({
    name: 'platform-7',
    cluster: {
      name: 'lab',
      controlPlane: { replicas: 1 },
      names: { controlPlane: 'lab-cp-{number:2}', worker: 'lab-wk-{number:2}' },
      placement: { strategy: 'pin', pinned: { 'lab-cp-01': 'pve1' } },
      cni: { flannel: {} },
    },
    problems: [],
  });
});

test('a name that cannot be a name is made one', () => {
  const { name, notes } = imported('cluster_name = "My_Lab."\n');
  expect([name, notes[0]]).toEqual([
    'my-lab',
    '1:1 cluster_name: Cannot be the name of a platform as it is: it becomes my-lab.',
  ]);
  expect(imported('environment = "test"\n').name).toBe('imported');
});

test.each<[string, unknown, string[]]>([
  [
    '{ enabled = true, strategy = "talos_native", vip = "10.0.0.5", interface = "eth0" }',
    { vip: '10.0.0.5', link: 'eth0' },
    [],
  ],
  ['{ enabled = false, strategy = "haproxy", vip = "10.0.0.5" }', undefined, []],
  [
    '{ strategy = "external", vip = "k8s.example.org", port = 443 }',
    { host: 'k8s.example.org', port: 443 },
    [
      '4:19 load_balancer.strategy: ichor builds no load balancer: keep yours. Its address becomes cluster.endpoint.host.',
    ],
  ],
  [
    '{ strategy = "haproxy", vip = "10.0.0.5", interface = "eth0", backends = ["a"] }',
    { host: '10.0.0.5' },
    [
      '4:19 load_balancer.strategy: ichor builds no load balancer: keep yours. Its address becomes cluster.endpoint.host.',
      '4:79 load_balancer.backends: Not carried over.',
    ],
  ],
])('load_balancer = %s', (written, endpoint, notes) => {
  const { spec, notes: said } = imported(`${known}load_balancer = ${written}\n`);
  expect([spec?.cluster['endpoint'], said.slice(1)]).toEqual([endpoint, notes]);
});

test('secrets in machine configuration become references, or are left out', () => {
  const { spec, notes, problems } = imported(`${known}talos = {
  machine = {
    env = { http_proxy = "http://u:hunter2@proxy" }
    registries = {
      mirrors = { "docker.io" = { endpoints = ["https://mirror.example.org"] } }
      config = { "ghcr.io" = { auth = { username = "robot", password = "hunter2" } } }
    }
    systemDiskEncryption = {
      ephemeral = { provider = "luks2", keys = [{ slot = 0, static = { passphrase = "hunter2" } }] }
      state     = { provider = "luks2", keys = [{ slot = 0, nodeID = {} }] }
    }
    files = [{ path = "/var/etc/a", op = "create", content = "TOKEN=hunter2" }]
  }
}
`);
  expect({ cluster: spec?.cluster, notes: notes.slice(1), problems }).toEqual({
    cluster: {
      names: { controlPlane: '{platform}-cp-{number:2}', worker: '{platform}-wk-{number:2}' },
      cni: { flannel: {} },
      registries: {
        credentials: { 'ghcr.io': { username: 'robot', password: { env: 'REGISTRY_GHCR_IO_PASSWORD' } } },
      },
      encryption: { state: { nodeID: {} }, ephemeral: { passphrase: { env: 'EPHEMERAL_PASSPHRASE' } } },
      patches: [
        { machine: { registries: { mirrors: { 'docker.io': { endpoints: ['https://mirror.example.org'] } } } } },
      ],
    },
    notes: [
      '6:13 talos.machine.env.http_proxy: Not carried over: it is a secret.',
      '9:32 talos.machine.registries.config["ghcr.io"].auth: Becomes cluster.registries.credentials; the password is not written to the file: export REGISTRY_GHCR_IO_PASSWORD.',
      '12:7 talos.machine.systemDiskEncryption.ephemeral: Becomes cluster.encryption.ephemeral; the passphrase is not written to the file: export EPHEMERAL_PASSPHRASE.',
      '15:14 talos.machine.files[0]: Not carried over: content is a secret.',
    ],
    problems: [],
  });
});

test('what our reader refuses is shown where it was written', () => {
  expect(
    imported(`${known}ha_enabled = true
control_plane_count = 2
sizing = { control_plane = { vcpu = 1, memory = 1024 } }
talos = { version = "1.5.0" }
load_balancer = { vip = "ten" }
`).problems,
  ).toEqual([
    'a.tfvars:4:1 too-few-for-ha: High availability needs at least three control planes, and there are 2.',
    'a.tfvars:6:30 out-of-bounds: spec.cluster.controlPlane.cpu must be at least 2, found 1.',
    'a.tfvars:6:40 too-small: A control plane needs at least 2GiB of memory.',
    'a.tfvars:7:11 unknown-talos: ichor does not know Talos 1.5.',
    'a.tfvars:8:19 wrong-format: Expected an IPv4 or IPv6 address, such as 10.10.0.5, found "ten".',
  ]);
});

test('whatever nobody asked for is named, as little as possible at a time', () => {
  expect(
    imported(`${known}backup = { schedule = "daily", keep = 7 }
vault_token = "hunter2"
worker_count = "many"
proxmox_extra = null
tags = []
sizing = { worker = { vcpu = 4, sockets = 2 } }
`).notes,
  ).toEqual([
    '3:1 proxmox_api_token: Not written to the file: export PROXMOX_TOKEN as USER@REALM!NAME=SECRET.',
    '4:1 backup: Not carried over.',
    '5:1 vault_token: Looks like a secret: not carried over.',
    '6:1 worker_count: Not carried over: it is not a number.',
    '9:33 sizing.worker.sockets: Not carried over.',
  ]);
});

test.each<[string, string]>([
  ['{}', 'a.tfvars:1:1 nothing-here: Nothing in this file is something that ichor knows.'],
  ['', 'a.tfvars:1:1 nothing-here: Nothing in this file is something that ichor knows.'],
  ['region = "eu"\n', 'a.tfvars:1:1 nothing-here: Nothing in this file is something that ichor knows.'],
  ['cluster_name = var.x\n', 'a.tfvars:1:16 hcl-expression: This is a reference, not a plain value.'],
])('%j gives no file', (content, problem) => {
  expect(imported(content)).toEqual({ name: undefined, spec: undefined, notes: [], problems: [problem] });
});

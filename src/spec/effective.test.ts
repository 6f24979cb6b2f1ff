import { expect, test } from 'vitest';
import { effectiveValues, type EffectiveValue } from './effective.ts';
import { findPlace } from './place.ts';
import { read } from './read.ts';
import type { Input } from './documents.ts';

const base = `apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: prod }
spec:
  machines:
    proxmox:
      endpoint: https://pve1.example.org:8006
      token: { env: PROXMOX_TOKEN }
      hosts: [pve1, pve2, pve3]
  cluster:
    controlPlane: { replicas: 3, addresses: 10.10.0.10-19 }
    workers:
      general: { replicas: 2, memory: 16GiB }
      spare: { replicas: 0 }
    nodes:
      cp-0: { vmid: 410, cpu: 8 }
    placement: { pinned: { prod-cp-1: pve2 } }
  services:
    catalog: { cert-manager: {}, ingress-nginx: {}, proxmox-csi: {}, harbor: {} }
  configuration: { dns: { powerdns: { url: "https://dns.example.org", apiKey: { file: ./key }, zones: { prod.example.org: {} } } } }
`;

function values(path: string, input: Partial<Input> = {}): readonly EffectiveValue[] {
  const { documents, problems } = read({ sources: [{ name: 'prod.yaml', content: base }], ...input });
  const place = findPlace(
    path,
    documents.map(({ kind }) => kind),
  );
  return documents
    .filter(({ kind }) => kind === place.kind)
    .flatMap((document) => effectiveValues(document, place, problems));
}

const outline = (found: readonly EffectiveValue[]): readonly string[] =>
  found.map(({ path, value, hidden, origin }) => {
    const at = 'at' in origin && origin.at ? ` ${origin.at.file}:${origin.at.line}:${origin.at.column}` : '';
    const why = origin.kind === 'derived' ? ` ${origin.from ?? ''}` : '';
    return `${path} = ${hidden ? 'hidden' : JSON.stringify(value)} ${origin.kind}${why}${at}`;
  });

test('what was written, by default, and what each follows from', () => {
  expect(outline(values('cluster.controlPlane'))).toEqual([
    'cluster.controlPlane.replicas = 3 written prod.yaml:11:31',
    'cluster.controlPlane.cpu = 2 default',
    'cluster.controlPlane.memory = "4GiB" default',
    'cluster.controlPlane.disk = "40GiB" default',
    'cluster.controlPlane.schedulable = false derived cluster.workers prod.yaml:12:5',
    'cluster.controlPlane.disks = {} default',
    'cluster.controlPlane.labels = {} default',
    'cluster.controlPlane.annotations = {} default',
    'cluster.controlPlane.taints = [] default',
    'cluster.controlPlane.extensions = [] default',
    'cluster.controlPlane.addresses = "10.10.0.10-19" written prod.yaml:11:45',
    'cluster.controlPlane.patches = [] default',
  ]);
});

test('the overlay that won', () => {
  const input: Partial<Input> = {
    varFiles: [{ name: 'over.yaml', content: 'cluster: { workers: { general: { replicas: 5 } } }\n' }],
    settings: ['cluster.controlPlane.replicas=5', 'cluster.talos.version=v1.12.11'],
  };
  expect(outline(values('cluster.workers.<pool>.replicas', input))).toEqual([
    'cluster.workers.general.replicas = 5 written over.yaml:1:44',
    'cluster.workers.spare.replicas = 0 written prod.yaml:14:26',
  ]);
  expect(outline(values('cluster.highAvailability', input))).toEqual([
    'cluster.highAvailability = true derived cluster.controlPlane.replicas --set:1:31',
  ]);
  expect(outline(values('cluster.kubernetes', input))).toEqual([
    'cluster.kubernetes.version = "v1.35.4" derived cluster.talos.version --set:2:23',
  ]);
});

test.each<[string, string]>([
  ['cluster.name', 'cluster.name = "prod" derived metadata.name prod.yaml:3:19'],
  ['cluster.talos.image.boot', 'cluster.talos.image.boot = "disk" derived cluster.talos.image'],
  ['services.domain', 'services.domain = "prod.example.org" derived configuration.dns.powerdns.zones prod.yaml:20:96'],
  [
    'services.catalog.harbor.host',
    'services.catalog.harbor.host = "harbor.prod.example.org" derived configuration.dns.powerdns.zones prod.yaml:20:96',
  ],
  [
    'services.catalog.harbor.issuer',
    'services.catalog.harbor.issuer = "self-signed" derived services.catalog.cert-manager.issuers',
  ],
  ['environment', 'environment = undefined unset'],
  ['services.gitops', 'services.gitops = undefined unset'],
  ['machines.proxmox.hosts', 'machines.proxmox.hosts = ["pve1","pve2","pve3"] written prod.yaml:9:14'],
  ['machines.proxmox.token', 'machines.proxmox.token.env = "PROXMOX_TOKEN" written prod.yaml:8:21'],
])('%s', (path, expected) => {
  expect(outline(values(path))).toEqual([expected]);
});

test('a machine has its values from itself, from its group and from where it is placed', () => {
  expect(outline(values('cluster.nodes.prod-cp-0')).slice(0, 5)).toEqual([
    'cluster.nodes.cp-0.vmid = 410 written prod.yaml:16:21',
    'cluster.nodes.cp-0.address = "10.10.0.10" derived cluster.controlPlane.addresses prod.yaml:11:45',
    'cluster.nodes.cp-0.hostname = "prod-cp-0" derived cluster.names.controlPlane',
    'cluster.nodes.cp-0.cpu = 8 written prod.yaml:16:31',
    'cluster.nodes.cp-0.memory = "4GiB" derived cluster.controlPlane.memory',
  ]);
  expect(outline(values('cluster.nodes.cp-1.host'))).toEqual([
    'cluster.nodes.cp-1.host = "pve2" derived cluster.placement.pinned.prod-cp-1 prod.yaml:17:39',
  ]);
  expect(outline(values('cluster.nodes.general-1.memory'))).toEqual([
    'cluster.nodes.general-1.memory = "16GiB" derived cluster.workers.general.memory prod.yaml:13:39',
  ]);
  expect(outline(values('cluster.nodes.general-1.mac'))).toEqual(['cluster.nodes.general-1.mac = undefined derived ']);
});

test('a machine that is not there is an error with the nearest', () => {
  expect(() => values('cluster.nodes.cp-9')).toThrow(
    expect.objectContaining({ code: 'unknown-machine', remedy: 'Did you mean "cp-0"?' }) as Error,
  );
});

test('the short form of a KubernetesCluster', () => {
  const content = `apiVersion: vitistack.io/v1alpha1
kind: KubernetesCluster
metadata: { name: simple }
spec:
  topology:
    workers:
      - { name: wp, replicas: 2 }
`;
  const input = { sources: [{ name: 'kc.yaml', content }] };
  expect(outline(values('topology.workers', input))).toEqual([
    'topology.workers.nodePools[0].name = "wp" written kc.yaml:7:17',
    'topology.workers.nodePools[0].replicas = 2 written kc.yaml:7:31',
    'topology.workers.nodePools[0].architecture = "amd64" default',
  ]);
});

test('what cannot be read is shown as it was written', () => {
  const content = base.replace('replicas: 3', 'replicas: three');
  expect(outline(values('cluster.controlPlane.replicas', { sources: [{ name: 'a.yaml', content }] }))).toEqual([
    'cluster.controlPlane.replicas = "three" written a.yaml:11:31',
  ]);
  expect(outline(values('cluster.highAvailability', { sources: [{ name: 'a.yaml', content }] }))).toEqual([
    'cluster.highAvailability = undefined derived ',
  ]);
});

test('a secret that was written in clear is never shown', () => {
  const clear = 'hunter2hunter2';
  const content = `apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: prod, annotations: { token: ${clear} } }
spec:
  identity: { state: { s3: { bucket: a, accessKey: ${clear}, secretKey: [${clear}] } } }
  machines:
    via: ssh://root:${clear}@pve1.example.org
    proxmox: { endpoint: "https://u:${clear}@pve1.example.org", token: ${clear}, hosts: [pve1], password: ${clear} }
  cluster:
    talos: { kernelArgs: ["token=${clear}"] }
    extensionServices: { tailscale: { environment: { TS_AUTHKEY: ${clear}, MY_TOKEN: { a: ${clear} } }, files: { /etc/a: "AGE-SECRET-KEY-1${clear}" } } }
    manifests: { inline: { a: "-----BEGIN PRIVATE KEY-----\\n${clear}" } }
    patches: [{ cluster: { secret: ${clear}, token: { a: [${clear}] } } }, "machine: { token: ${clear} }"]
  services:
    gitops: { flux: { url: "https://u:${clear}@git.example.org/a.git", credentials: { token: ${clear} } } }
    catalog: { harbor: { values: { auth: { adminPassword: ${clear} }, apiKeys: [${clear}], env: [{ name: A, secret: { x: ${clear} } }] } } }
`;
  const input = { sources: [{ name: 'a.yaml', content }] };
  const found = [...values('', input), ...values('metadata', input)];
  expect(found.filter(({ hidden }) => hidden).length).toBeGreaterThan(10);
  expect(JSON.stringify(found)).not.toContain(clear);
  // Nor when it is asked for by its own path.
  const asked = found.filter(({ path }) => !path.includes('MY_TOKEN.'));
  for (const { path } of asked) expect(JSON.stringify(values(path, input)), path).not.toContain(clear);
});

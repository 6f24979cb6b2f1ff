import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { formatPath } from '../../src/spec/tree.ts';
import { contracts, type Contract } from '../../src/talos/config/contract.ts';
import type { MachineConfig, Value } from '../../src/talos/config/document.ts';
import { documentPath } from '../../src/talos/config/identity.ts';
import { renderConfigs, type RenderedConfigs } from '../../src/talos/config/render.ts';
import type { SecretsBundle } from '../../src/talos/secrets/bundle.ts';
import { newSecrets } from '../../src/talos/secrets/new.ts';
import { secretsText } from '../../src/talos/secrets/text.ts';
import { seededEntropy, testClock } from '../entropy.ts';
import { folder as emptyFolder } from '../folder.ts';
import { platformOf, requestFor } from '../talos-configs.ts';
import { ask, buildJudges, judged } from './machinery.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';

const run = promisify(execFile);
const kubernetes = 'v1.32.5';
const installer = 'factory.talos.dev/metal-installer/ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515';

let talosctl: string;
let secrets: SecretsBundle;
beforeAll(async () => {
  talosctl = await peerProgram('talosctl');
  await buildJudges();
  secrets = await newSecrets(seededEntropy('gen config'), testClock, '1.13');
}, buildTimeoutMs);

function ours(contract: Contract, cluster: string): RenderedConfigs {
  const file = `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: prod }
spec:
  machines: { existing: { machines: { cp-0: { address: 10.10.0.11 }, w-0: { address: 10.10.0.21 } } } }
  cluster: { talos: { version: ${judged[contract]} }, kubernetes: { version: ${kubernetes} }, endpoint: { host: k8s.example.org }, workers: { w: {} }, ${cluster} }
`;
  return renderConfigs(requestFor(platformOf(file), secrets));
}

type Generated = Readonly<Record<'controlplane' | 'worker', MachineConfig>>;

/** What talosctl makes of the same secrets; of 1.14 what its own generator does, which this talosctl has not yet. */
async function theirs(contract: Contract): Promise<Generated> {
  const folder = emptyFolder();
  const secretsFile = join(folder, 'secrets.yaml');
  await writeFile(secretsFile, secretsText(secrets), { mode: 0o600 });
  const image = `${installer}:${judged[contract]}`;
  if (contract === '1.14') {
    const common = {
      name: 'prod',
      endpoint: 'https://k8s.example.org:6443',
      kubernetes: kubernetes.slice(1),
      contract: `v${contract}`,
      secretsFile,
      installDisk: '/dev/sda',
      installImage: image,
    };
    const roles = ['controlplane', 'worker'] as const;
    const answers = await ask(
      contract,
      roles.map((role) => ({ generate: { ...common, role } })),
    );
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined]);
    const [controlplane = [], worker = []] = answers.map(({ encoded = '' }) => documentsOf(encoded));
    return { controlplane, worker };
  }
  const flags = [
    '--with-secrets',
    secretsFile,
    '--talos-version',
    `v${contract}`,
    '--kubernetes-version',
    kubernetes.slice(1),
  ];
  const install = [
    '--install-disk',
    '/dev/sda',
    '--install-image',
    image,
    '--with-docs=false',
    '--with-examples=false',
  ];
  await run(talosctl, [
    'gen',
    'config',
    'prod',
    'https://k8s.example.org:6443',
    ...flags,
    ...install,
    '--output-types',
    'controlplane,worker',
    '--output',
    folder,
  ]);
  const read = async (role: string) => documentsOf(await readFile(join(folder, `${role}.yaml`), 'utf8'));
  return { controlplane: await read('controlplane'), worker: await read('worker') };
}

const documentsOf = (text: string): MachineConfig =>
  parseAllDocuments(text).map((document) => document.toJS() as MachineConfig[number]);

/** Values, and the order of keys and documents. */
const inOrder = (config: MachineConfig): string => JSON.stringify(config, null, 1);

test.each(contracts)(
  'for %s a file that leaves everything to Talos gives what talosctl gives, to the order of keys',
  async (contract) => {
    const { controlPlane, worker } = ours(contract, 'cni: { flannel: {} }');
    const generated = await theirs(contract);
    expect(masked(inOrder(controlPlane.config))).toBe(masked(inOrder(generated.controlplane)));
    expect(masked(inOrder(worker.config))).toBe(masked(inOrder(generated.worker)));
    expect(inOrder(controlPlane.config) === inOrder(generated.controlplane)).toBe(true);
    expect(inOrder(worker.config) === inOrder(generated.worker)).toBe(true);
  },
);

/** Long words are keys and certificates; whether they are the same is asked apart. */
const masked = (text: string): string => text.replaceAll(/[\w+/=-]{80,}/g, '******');

const cilium = 'Cilium is installed later, so that Talos installs no flannel';
const noProxy = 'Cilium takes the place of kube-proxy';
const network = 'nodes and etcd must not take an address of another network';

/** Where ichor's own defaults are not talosctl's, and why: up to 1.13, and from 1.14 on. */
const differences: Readonly<Record<'old' | 'young', Readonly<Record<string, string>>>> = {
  old: {
    'cluster.etcd.advertisedSubnets': network,
    'cluster.network.cni': cilium,
    'cluster.proxy.disabled': noProxy,
    'machine.kubelet.nodeIP': network,
  },
  young: {
    KubeFlannelCNIConfig: cilium,
    'KubeNodeConfig.nodeIP': network,
    KubeProxyConfig: noProxy,
    'cluster.etcd.advertisedSubnets': network,
  },
};

test.each(contracts)(
  'for %s ichor’s own defaults differ from talosctl’s where it is listed, and there only',
  async (contract) => {
    const listed = Object.keys(differences[contract === '1.14' ? 'young' : 'old']);
    const { controlPlane, worker } = ours(contract, 'network: { nodes: 10.10.0.0/24 }');
    const generated = await theirs(contract);
    const found = [
      ...differing(controlPlane.config, generated.controlplane),
      ...differing(worker.config, generated.worker),
    ].map((path) => listed.find((each) => path.startsWith(each)) ?? path);
    expect([...new Set(found)].toSorted()).toEqual(listed);
  },
);

function differing(one: MachineConfig, other: MachineConfig): readonly string[] {
  const [left, right] = [leavesOf(one), leavesOf(other)];
  return [...new Set([...left.keys(), ...right.keys()])].filter((path) => left.get(path) !== right.get(path));
}

const leavesOf = (config: MachineConfig): ReadonlyMap<string, Value> =>
  new Map(config.flatMap((document) => leaves(document, [...documentPath(document)])));

function leaves(value: Value, path: readonly (string | number)[]): readonly (readonly [string, Value])[] {
  if (typeof value !== 'object' || value === null) return [[formatPath(path), value]];
  const children = Array.isArray(value) ? [...(value as readonly Value[]).entries()] : Object.entries(value);
  return children.flatMap(([step, child]: readonly [string | number, Value]) => leaves(child, [...path, step]));
}

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockFile, peerProgram, realCache } from './peers.ts';
import { cgroupOf, removeCgroups } from './talos-node/cgroups.ts';
import { kubernetesImages } from './talos-node/images.ts';
import {
  bridgeDown,
  bridgeUp,
  gateway,
  networkNamespace,
  plugIn,
  unplug,
  unplugLeftovers,
} from './talos-node/network.ts';
import { requireNodeTools } from './talos-node/requirements.ts';
import { rootFileSystem } from './talos-node/root-file-system.ts';

/** A real Talos node in container mode: machined, apid, trustd, two containerds. */
export type RealNode = {
  readonly name: string;
  readonly address: string;
  /** Its console so far. */
  readonly console: () => Promise<string>;
  /** Shuts down as by the power button, or has its power cut; the volumes stay. */
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Resolves when the node has powered itself off. */
  readonly ended: () => Promise<void>;
};

export type NodeLand = AsyncDisposable & {
  /** A node that comes up in maintenance mode, or with a configuration as user data. */
  readonly up: (name: string, address: string, config?: string) => Promise<RealNode>;
  /** Documents to be added to a configuration so that it fits nodes without kernel, disks and internet. */
  readonly patch: string;
};

const answerWithinMs = 90_000;
const stopWithinMs = 150_000;
const registryPort = 5055;

/** The only nodes on this machine: others wait until they are gone. Everything that was begun ends with `await using`, or with this process. */
export async function startNodeLand(options: { readonly kubernetes: boolean }): Promise<NodeLand> {
  await requireNodeTools();
  const [nodebox, root] = [await peerProgram('nodebox'), await rootFileSystem()];
  const images = options.kubernetes ? await kubernetesImages() : undefined;
  await mkdir(realCache('.'), { recursive: true });
  const undo: (() => unknown)[] = [];
  const end = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  const lock = await lockFile(realCache('talos-nodes.lock'), 'Talos nodes');
  undo.push(() => lock[Symbol.asyncDispose]());
  try {
    await removeLeftovers();
    undo.push(removeLeftovers);
    await bridgeUp();
    undo.push(bridgeDown);
    if (images !== undefined) undo.push(await startRegistry(nodebox, images));
    const up = async (name: string, address: string, config?: string): Promise<RealNode> => {
      const node = await prepareNode({ name, address, config, nodebox, root });
      undo.push(node.kill);
      await node.start();
      return node;
    };
    return { up, patch, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

const runFolder = '/run/ichor-real';
const stateFolder = (): string => realCache('talos-nodes');

async function removeLeftovers(): Promise<void> {
  await unplugLeftovers();
  await removeCgroups();
  for (const folder of [runFolder, stateFolder()]) await rm(folder, { recursive: true, force: true });
}

async function startRegistry(nodebox: string, images: string): Promise<() => Promise<void>> {
  const child = spawn(nodebox, ['registry', '-dir', images, '-addr', `${gateway}:${registryPort}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await answers(gateway, registryPort, child, 'the image registry');
  return () => endProcess(child, 'SIGTERM');
}

type Plan = {
  readonly name: string;
  readonly address: string;
  readonly config: string | undefined;
  readonly nodebox: string;
  readonly root: string;
};

async function prepareNode({ name, address, config, nodebox, root }: Plan): Promise<RealNode> {
  const [state, run] = [join(stateFolder(), name), join(runFolder, name)];
  await mkdir(join(state, 'etc'), { recursive: true });
  await writeFile(join(state, 'etc', 'hostname'), `${name}\n`);
  await writeFile(join(state, 'etc', 'hosts'), `127.0.0.1 localhost\n${address} ${name}\n`);
  await writeFile(join(state, 'etc', 'resolv.conf'), `nameserver ${gateway}\n`);
  await writeNetworkPlugin(join(state, 'volumes', 'etc_cni', 'net.d'), address);
  const userData = config === undefined ? [] : [`USERDATA=${Buffer.from(config).toString('base64')}`];
  const sku = `TALOSSKU=${cpus().length}CPU-${Math.floor(totalmem() / 1024 / 1024)}RAM`;
  const spec = {
    name,
    rootfs: root,
    state,
    run,
    cgroup: cgroupOf(name),
    env: ['PLATFORM=container', sku, ...userData],
  };
  const console = join(state, 'console.log');
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    await mkdir(run, { recursive: true });
    await writeFile(join(run, 'spec.json'), JSON.stringify(spec), { mode: 0o600 });
    await plugIn(name, address);
    const log = openSync(console, 'a');
    const inside = [`--net=/run/netns/${networkNamespace(name)}`, nodebox, 'supervise', join(run, 'spec.json')];
    child = spawn('nsenter', inside, { stdio: ['pipe', log, log], detached: true });
    await answers(address, 50_000, child, `node ${name}`);
  };
  const endWith = async (signal: NodeJS.Signals): Promise<void> => {
    if (child !== undefined) await endProcess(child, signal);
    await unplug(name);
    await removeCgroups(name);
  };
  return {
    name,
    address,
    console: () => readFile(console, 'utf8'),
    start,
    stop: () => endWith('SIGTERM'),
    kill: () => endWith('SIGINT'),
    ended: () => (child === undefined ? Promise.resolve() : exited(child)),
  };
}

/** Configurations for these nodes say `cni: none`; so that a node gets Ready, a bridge inside it is its network. */
async function writeNetworkPlugin(folder: string, address: string): Promise<void> {
  const subnet = `10.244.${address.split('.').at(-1)}.0/24`;
  const ipam = { type: 'host-local', ranges: [[{ subnet }]], routes: [{ dst: '0.0.0.0/0' }] };
  const plugin = { type: 'bridge', bridge: 'cni0', isGateway: true, ipMasq: false, hairpinMode: true, ipam };
  const list = { cniVersion: '1.0.0', name: 'ichor', plugins: [plugin] };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '99-ichor.conflist'), JSON.stringify(list));
}

const mirror = (host: string): string =>
  `---
apiVersion: v1alpha1
kind: RegistryMirrorConfig
name: ${host}
endpoints:
  - url: http://${gateway}:${registryPort}
skipFallback: true
`;

/** Where these nodes get their images. */
export const mirrors = ['registry.k8s.io', 'ghcr.io', 'docker.io'].map(mirror).join('');

const patch = `machine:
  kubelet:
    extraConfig:
      failCgroupV1: false
cluster:
  network:
    cni:
      name: none
  proxy:
    disabled: true
  coreDNS:
    disabled: true
${mirrors}`;

async function answers(host: string, port: number, child: ChildProcess, what: string): Promise<void> {
  const until = Date.now() + answerWithinMs;
  while (!(await isOpen(host, port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${what} has ended.`);
    if (Date.now() > until) throw new Error(`${what} does not answer on ${host}:${port}.`);
    await sleep(50);
  }
}

const isOpen = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = exited(child);
  child.kill(signal);
  const late = AbortSignal.timeout(stopWithinMs);
  late.addEventListener('abort', () => child.kill('SIGKILL'));
  await gone;
}

const exited = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { cgroupOf, removeCgroups } from './cgroups.ts';
import { type NodeNetwork, type Plug, networkNamespace, plugIn, unplug } from './network.ts';
import { answers, endProcess, exited, hasEnded } from './processes.ts';

/** What a node is when its power comes on. */
export type NodeWish = {
  /** Of its namespace and its groups: one on this machine. */
  readonly name: string;
  readonly hostname: string;
  readonly plug: Plug;
  /** A configuration that it finds at its first boot; undefined: it waits in maintenance mode. */
  readonly config: string | undefined;
};

/** Where nodes live: programs, network, folders. */
export type NodePlace = {
  readonly nodebox: string;
  readonly root: string;
  readonly network: NodeNetwork;
  /** Folder of what outlives its power. */
  readonly state: string;
  /** Folder of what does not. */
  readonly run: string;
};

/**
 * How a node ended: it was shut down or cut off from outside; it has powered itself off, which Talos in a container does
 * after a reset and never else; or something went wrong in it.
 */
type NodeEnd = 'stopped' | 'reset' | 'failed';

/** A real Talos node in container mode: machined, apid, trustd, two containerds. */
export type NodeProcess = {
  /** Its console so far. */
  readonly console: () => Promise<string>;
  /** Folder of its volumes. */
  readonly state: string;
  /** Number of its first process; undefined: it is off. */
  readonly pid: () => Promise<number | undefined>;
  /** Until the Talos API can be reached. */
  readonly start: () => Promise<void>;
  /** Shuts down as by the power button, or has its power cut; the volumes stay. */
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
  /** Only presses the button. */
  readonly press: () => void;
  readonly isOn: () => boolean;
  /** Resolves when it is off. */
  readonly ended: () => Promise<NodeEnd>;
  /** As a reset leaves it: nothing of it is there. */
  readonly wipe: () => Promise<void>;
};

export async function prepareNode(wish: NodeWish, place: NodePlace): Promise<NodeProcess> {
  const { name, plug } = wish;
  const [state, run] = [join(place.state, name), join(place.run, name)];
  const consoleFile = join(state, 'console.log');
  await mkdir(state, { recursive: true });
  let child: ChildProcess | undefined;

  const endWith = async (signal: NodeJS.Signals): Promise<void> => {
    if (child !== undefined) await endProcess(child, signal);
    await unplug(name);
    await removeCgroups(name);
  };
  const shown = (): Promise<string> => readFile(consoleFile, 'utf8').catch(() => '');
  return {
    console: shown,
    state,
    pid: async () => Number(await readFile(join(run, 'pid'), 'utf8').catch(() => '')) || undefined,
    start: async () => {
      await furnish(wish, place, state);
      await mkdir(run, { recursive: true });
      await writeFile(join(run, 'spec.json'), JSON.stringify(specOf(wish, place, { state, run })), { mode: 0o600 });
      await plugIn(name, place.network, plug);
      const log = openSync(consoleFile, 'a');
      const inside = [`--net=/run/netns/${networkNamespace(name)}`, place.nodebox, 'supervise', join(run, 'spec.json')];
      // It ends with the other end of its standard input, that is with this process.
      child = spawn('nsenter', inside, { stdio: ['pipe', log, log], detached: true });
      closeSync(log);
      await answers(plug.address, 50_000, child, `node ${name}`);
    },
    stop: () => endWith('SIGTERM'),
    kill: () => endWith('SIGINT'),
    press: () => void child?.kill('SIGTERM'),
    isOn: () => child !== undefined && !hasEnded(child),
    ended: async () => {
      if (child !== undefined) await exited(child);
      return endOf(await shown());
    },
    wipe: () => rm(join(state, 'volumes'), { recursive: true, force: true }),
  };
}

/** The last word of who looks after it. */
function endOf(shown: string): NodeEnd {
  const last = shown.slice(shown.lastIndexOf('nodebox: '));
  if (last.includes(' stopped')) return 'stopped';
  return last.includes(' ended: signal: interrupt') ? 'reset' : 'failed';
}

function specOf(
  { name, hostname, config }: NodeWish,
  { root }: NodePlace,
  folders: { readonly state: string; readonly run: string },
): unknown {
  const userData = config === undefined ? [] : [`USERDATA=${Buffer.from(config).toString('base64')}`];
  const sku = `TALOSSKU=${cpus().length}CPU-${Math.floor(totalmem() / 1024 / 1024)}RAM`;
  const env = ['PLATFORM=container', sku, ...userData];
  return { name: hostname, rootfs: root, ...folders, cgroup: cgroupOf(name), env };
}

async function furnish({ hostname, plug }: NodeWish, { network }: NodePlace, state: string): Promise<void> {
  const etc = join(state, 'etc');
  await mkdir(etc, { recursive: true });
  await writeFile(join(etc, 'hostname'), `${hostname}\n`);
  await writeFile(join(etc, 'hosts'), `127.0.0.1 localhost\n${plug.address} ${hostname}\n`);
  await writeFile(join(etc, 'resolv.conf'), `nameserver ${network.gateway}\n`);
  await writeNetworkPlugin(join(state, 'volumes', 'etc_cni', 'net.d'), plug.address);
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

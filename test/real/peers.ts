import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realCache } from '../../src/lab/real/cache.ts';
import { lockFile } from '../../src/lab/real/lock-file.ts';

/** A program that we did not write, to judge what we did. */
type Peer = {
  /** Folder with go.mod and go.sum: the pin and its proof. */
  readonly module: string;
  /** The package to build; "." for a main.go in the module's own folder. */
  readonly package: string;
  /** The name of another go.mod and go.sum in the same folder: `1.9` for 1.9.mod and 1.9.sum. */
  readonly pins?: string;
  /** Linker variables, name by value. */
  readonly set?: Readonly<Record<string, string>>;
  /** Built with cgo and linked statically, with these build tags. */
  readonly cgo?: readonly string[];
};

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, 'modules');

// Without a version in it kubectl warns about the server, and other clients refuse it.
const kubernetesVersion = {
  'k8s.io/component-base/version.gitVersion': 'v1.36.3',
  'k8s.io/component-base/version.gitMajor': '1',
  'k8s.io/component-base/version.gitMinor': '36',
  'k8s.io/client-go/pkg/version.gitVersion': 'v1.36.3',
};

function kubernetes(program: string): Peer {
  return { module: join(modules, 'kubernetes'), package: `k8s.io/kubernetes/cmd/${program}`, set: kubernetesVersion };
}

export const talosVersion = 'v1.13.9';

const talosWords = {
  'github.com/siderolabs/talos/pkg/machinery/version.Tag': talosVersion,
  'github.com/siderolabs/talos/pkg/machinery/version.Name': 'Talos',
};

function talos(path: string): Peer {
  return { module: join(modules, 'talos'), package: `github.com/siderolabs/talos/${path}` };
}

function containerd(program: string): Peer {
  return { module: join(modules, 'containerd'), package: `github.com/containerd/containerd/v2/cmd/${program}` };
}

function cni(plugin: string): Peer {
  return { module: join(modules, 'cni'), package: `github.com/containernetworking/plugins/plugins/${plugin}` };
}

function machinery(pins: string): Peer {
  return { module: join(here, 'oracles', 'machinery'), package: '.', pins };
}

const peers = {
  etcd: { module: join(modules, 'etcd'), package: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': kubernetes('kube-apiserver'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  kubelet: kubernetes('kubelet'),
  kubectl: kubernetes('kubectl'),
  talosctl: { ...talos('cmd/talosctl'), set: talosWords },
  machined: talos('internal/app/machined'),
  containerd: containerd('containerd'),
  'containerd-shim-runc-v2': containerd('containerd-shim-runc-v2'),
  runc: { module: join(modules, 'runc'), package: 'github.com/opencontainers/runc', cgo: ['osusergo', 'netgo'] },
  'cni-bridge': cni('main/bridge'),
  'cni-loopback': cni('main/loopback'),
  'cni-host-local': cni('ipam/host-local'),
  nodebox: { module: join(here, 'talos-node', 'nodebox'), package: '.' },
  'talos-fields': { module: join(here, 'oracles', 'fields'), package: '.' },
  'talos-patcher': { module: join(here, 'oracles', 'patcher'), package: '.' },
  hcl: { module: join(here, 'hcl'), package: '.' },
  helm: { module: join(modules, 'helm'), package: 'helm.sh/helm/v4/cmd/helm' },
  tofu: { module: join(modules, 'tofu'), package: 'github.com/opentofu/opentofu/cmd/tofu' },
  'terraform-provider-proxmox': {
    module: join(modules, 'bpg'),
    package: 'github.com/bpg/terraform-provider-proxmox',
    set: { 'main.version': '0.106.0' },
  },
  wire: { module: join(here, 'oracles', 'wire'), package: '.' },
  schematic: { module: join(here, 'oracles', 'schematic'), package: '.' },
  compatibility: { module: join(here, 'oracles', 'compatibility'), package: '.' },
  kubeconfig: { module: join(here, 'oracles', 'kubeconfig'), package: '.' },
  'machinery-1.9': machinery('1.9'),
  'machinery-1.10': machinery('1.10'),
  'machinery-1.11': machinery('1.11'),
  'machinery-1.12': machinery('1.12'),
  'machinery-1.13': machinery('go'),
  'machinery-1.14': machinery('1.14'),
  validator: { module: join(here, 'oracles', 'validator'), package: '.' },
  resources: { module: join(here, 'oracles', 'resources'), package: '.' },
} satisfies Record<string, Peer>;

export type PeerName = keyof typeof peers;

export const peerNames = Object.keys(peers) as PeerName[];

/** The folder with the pins of a peer, whose sources Go can name. */
export const peerModule = (name: PeerName): string => peers[name].module;

/** How long a build may take on a small machine that has never built it. */
export const buildTimeoutMs = 45 * 60_000;

const cacheFolder = (): string => realCache('bin');

/** The path of the program; built from its pinned module when it is not there yet. */
export async function peerProgram(name: PeerName): Promise<string> {
  const peer: Peer = peers[name];
  const program = join(cacheFolder(), `${name}-${await stampOf(peer)}`);
  if (await isExecutable(program)) return program;
  await mkdir(cacheFolder(), { recursive: true });
  await using _lock = await lockFile(`${program}.lock`, (owner) => say(`${name}: waiting for process ${owner} …`));
  if (!(await isExecutable(program))) await build(name, peer, program);
  return program;
}

/** Where the source of a pinned module lies, for the files that come with it. */
export async function moduleSource(peer: PeerName, module: string): Promise<string> {
  const { module: folder } = peers[peer];
  const { code, output } = await run('go', ['list', '-m', '-f', '{{.Dir}}', module], folder);
  if (code !== 0) throw new Error(`The source of ${module} is not there:\n${output}`);
  return output.trim();
}

/** Everything that decides what is built; a changed pin builds anew. */
async function stampOf(peer: Peer): Promise<string> {
  const own = peer.package === '.' ? (await readdir(peer.module)).filter((file) => file.endsWith('.go')) : [];
  const pins = peer.pins ?? 'go';
  const files = [`${pins}.mod`, `${pins}.sum`, ...own.toSorted()];
  const contents = await Promise.all(files.map((file) => readFile(join(peer.module, file), 'utf8')));
  const parts = JSON.stringify([contents, peer.package, linkerFlags(peer)]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 12);
}

const linkerFlags = ({ set = {}, cgo }: Peer): string =>
  [
    '-s',
    '-w',
    ...(cgo === undefined ? [] : ['-extldflags', '-static']),
    ...Object.entries(set).map(([variable, value]) => `-X ${variable}=${value}`),
  ].join(' ');

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

async function build(name: PeerName, peer: Peer, program: string): Promise<void> {
  await requireGo(peer);
  const beside = `${program}.${process.pid}.tmp`;
  const started = Date.now();
  const spent = (): string => inWords(Date.now() - started);
  const ticker = setInterval(() => say(`${name}: building, ${spent()} so far …`), 20_000);
  try {
    const tags = peer.cgo === undefined ? [] : ['-tags', peer.cgo.join(',')];
    const pins = peer.pins === undefined || peer.pins === 'go' ? [] : [`-modfile=${peer.pins}.mod`];
    const flags = ['-trimpath', ...pins, ...tags, '-ldflags', linkerFlags(peer), '-o', beside];
    const cgo = peer.cgo === undefined ? '0' : '1';
    const { code, output } = await run('go', ['build', ...flags, peer.package], peer.module, { CGO_ENABLED: cgo });
    if (code !== 0)
      throw new Error(`${name} could not be built from ${peer.module} (it needs the Go module proxy):\n${output}`);
    await rename(beside, program);
    say(`${name}: built in ${spent()}`);
  } finally {
    clearInterval(ticker);
    await rm(beside, { force: true });
  }
}

async function requireGo(peer: Peer): Promise<void> {
  const { code, output } = await run('go', ['env', 'GOVERSION'], here);
  const found = code === 0 ? output.trim().replace(/^go/, '') : undefined;
  const text = await readFile(join(peer.module, 'go.mod'), 'utf8');
  const wanted = /^go (\d+\.\d+(?:\.\d+)?)/m.exec(text)?.[1] ?? '1.26';
  const advice = `Install Go ${wanted} or later and put its bin folder into PATH; Debian's golang package may be older than that.`;
  if (found === undefined) throw new Error(`The real tier builds its programs with Go, and there is none. ${advice}`);
  if (found.localeCompare(wanted, 'en', { numeric: true }) < 0)
    throw new Error(`The real tier needs Go ${wanted}, and this is ${found}. ${advice}`);
}

type Ran = { readonly code: number | null; readonly output: string };

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...settings, GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local', GOWORK: 'off' };
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

const inWords = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

const say = (line: string): void => void process.stderr.write(`${line}\n`);

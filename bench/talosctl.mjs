// Machine configurations for 1,000 nodes of one file, against talosctl's time for the same number.
// talosctl makes one at a time; it is timed for a few, and the rest is reckoned. Prints one line of JSON.
//   node bench/talosctl.mjs PATH-OF-TALOSCTL
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { build } from 'esbuild';
import { scratch } from './measure.mjs';

const nodes = 1000;
const sample = 20;
const [talosctl] = process.argv.slice(2);
if (talosctl === undefined) throw new Error('Say where talosctl is.');

const folder = `${scratch}talosctl/`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const run = (program, args) => {
  const started = performance.now();
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${error?.message ?? stderr}`);
  return performance.now() - started;
};

const secrets = `${folder}secrets.yaml`;
run(talosctl, ['gen', 'secrets', '--output-file', secrets]);
writeFileSync(
  `${folder}platform.yaml`,
  JSON.stringify({
    apiVersion: 'ichor.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'prod' },
    spec: {
      machines: { proxmox: { endpoint: 'https://pve:8006', token: { env: 'TOKEN' }, hosts: ['pve'] } },
      cluster: {
        talos: { version: 'v1.13.9' },
        endpoint: { vip: '10.10.0.5' },
        controlPlane: { replicas: 3, addresses: '10.10.0.11-19' },
        workers: {
          general: { replicas: nodes - 3, addresses: '10.10.1.0-10.10.4.255', disks: { longhorn: '200GiB' } },
        },
        network: { nodes: '10.10.0.0/16', gateway: '10.10.0.1', addresses: 'static' },
        firewall: { enabled: true },
      },
    },
  }),
);

const renderer = `${folder}render.mjs`;
await build({
  entryPoints: [new URL('render.ts', import.meta.url).pathname],
  outfile: renderer,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'error',
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});

// In turns, so that a busy machine slows both.
let [ours, theirs] = [Infinity, Infinity];
const output = ['--with-docs=false', '--with-examples=false', '--output-types', 'worker', '--force', '--output'];
const flags = ['--with-secrets', secrets, '--talos-version', 'v1.13', ...output, `${folder}worker.yaml`];
for (let round = 0; round < sample; round++) {
  theirs = Math.min(theirs, run(talosctl, ['gen', 'config', 'prod', 'https://10.10.0.5:6443', ...flags]));
  if (round % 5 === 0)
    ours = Math.min(ours, run(process.execPath, [renderer, `${folder}platform.yaml`, secrets, `${folder}nodes`]));
}
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ nodes, sample, oursMs: ours, theirsMsEach: theirs, ratio: ours / (theirs * nodes) }));

// `ichor up`, `ichor up` again and `ichor destroy` through the built command line, on a lab in a process of its own that runs as
// fast as the wall: how long they take over what the twins themselves take.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { bundled } from './bundle.mjs';
import { bringUp, tearDown } from './critical-path.mjs';
import { ichor, scratch } from './measure.mjs';

const folder = `${scratch}bring-up-${process.pid}/`;

/** Without standing still: two of them run side by side. */
function run(args, cwd = folder) {
  const env = { ...process.env, CI: '1', XDG_STATE_HOME: `${folder}state` };
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [ichor, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    child.on('error', reject).on('close', (status) => {
      const ms = performance.now() - started;
      if (status === 0) resolve({ ms, stdout, stderr });
      else reject(new Error(`ichor ${args.join(' ')} exited with ${status}: ${stderr}\n${stdout.slice(-3000)}`));
    });
  });
}

/** A lab, its platform file with so many workers, and the commands there. */
export async function dataCentre(name, { hosts, workers, edit = (text) => text }) {
  const place = `${folder}${name}/`;
  mkdirSync(place, { recursive: true });
  const lab = ['--name', `bench-${name}`];
  const start = ['lab', 'start', '--detach', ...lab, '--hosts', String(hosts), '--output', 'json'];
  const { platform } = JSON.parse((await run(start)).stdout);
  const pool = /general: \{ replicas: 3, cpu: 4, memory: 8GiB, disk: 40GiB, addresses: ([\d.]+\.)140-\S+159 \}/;
  const small = (_, net) =>
    `general: { replicas: ${workers}, cpu: 2, memory: 4GiB, disk: 20GiB, addresses: ${net}140-${net}250 }`;
  writeFileSync(`${place}platform.yaml`, edit(readFileSync(platform, 'utf8').replace(pool, small)));
  return {
    file: `${place}platform.yaml`,
    ichor: (...args) => run(args, place),
    lab: (...args) => run(['lab', ...args, ...lab], place),
    requests: async () => JSON.parse((await run(['lab', 'requests', ...lab, '--output', 'json'], place)).stdout),
    end: () => run(['lab', 'stop', ...lab]),
  };
}

export const cleanUp = () => rmSync(folder, { recursive: true, force: true });

async function durationsOfTwins() {
  const { proxmox, talos, kubernetes, buildImage } = await bundled('durations', {
    'src/lab/proxmox/durations.ts': ['usualDurations as proxmox'],
    'src/lab/talos/node/hardware.ts': ['usualDurations as talos'],
    'src/lab/kubernetes/controllers/durations.ts': ['usualDurations as kubernetes'],
    'src/lab/factory/images.ts': ['buildImage'],
  });
  const request = { platform: 'nocloud', arch: 'amd64', secureboot: false, kind: 'qcow2', compression: undefined };
  const image = buildImage(request, { version: 'v1.13.9', schematic: '' });
  // Bytes of a disk that a qcow2 holds are at 24 in its header; a machine has one for its firmware and one for cloud-init besides.
  const made = { imageBytes: image.length, disk: Number(image.readBigUInt64BE(24)), allocated: 3, controlPlanes: 3 };
  const durations = { proxmox, talos, kubernetes };
  return { upMs: bringUp(durations, made), downMs: tearDown(durations) };
}

/** A lab of 20 hosts with nothing in it, and a file for 500 machines there. */
export async function emptyForMany(use) {
  const roomy = (text) =>
    text
      .replace(/(general: \{ replicas: \d+, cpu: 2), memory: 4GiB, disk: 20GiB/, '$1, memory: 2GiB, disk: 10GiB')
      .replaceAll(/, addresses: [\d.]+-[\d.]+/g, '')
      .replace('addresses: static', 'addresses: dhcp')
      .replace('    cni:', '    placement: { overcommit: { cpu: 4 } }\n    cni:');
  const here = await dataCentre('many', { hosts: 20, workers: 497, edit: roomy });
  try {
    return await use(here.file);
  } finally {
    await here.end();
  }
}

async function smallUp() {
  const small = await dataCentre('small', { hosts: 3, workers: 3 });
  try {
    return await small.ichor('up', '--yes');
  } finally {
    await small.end();
  }
}

/** 3+3 on three hosts, and 3+100 on twenty: up, looked at again from afar, and down. */
export async function bringUps() {
  const { upMs, downMs } = await durationsOfTwins();
  const six = await smallUp();
  const large = await dataCentre('large', { hosts: 20, workers: 100 });
  try {
    const many = await large.ichor('up', '--yes');
    await large.lab('fault', 'far', '--by', '20ms');
    const looks = [];
    for (let round = 0; round < 3; round++) {
      await large.lab('requests', '--forget');
      const { ms, stdout } = await large.ichor('up', '--yes');
      const { totals } = await large.requests();
      looks.push({ ms, unchanged: stdout.includes('Nothing to do'), totals });
    }
    await large.lab('fault', 'far', '--by', '0ms');
    const down = await large.ichor('destroy', '--yes');
    return { floorMs: upMs, six, many, looks, down: { ...down, floorMs: downMs } };
  } finally {
    await large.end();
    cleanUp();
  }
}

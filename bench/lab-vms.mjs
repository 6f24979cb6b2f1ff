// A lab with 20 hosts and 1,000 VMs, made, started and looked at through the API, each with a Talos of its own. Run by run.mjs in a
// process of its own; the client is in it, too.
import { Agent, request } from 'node:https';
import { performance } from 'node:perf_hooks';
import { bundled } from './bundle.mjs';

const { startLab, wallClock } = await bundled('lab', {
  'src/lab/lab.ts': ['startLab'],
  'src/lab/clock.ts': ['wallClock'],
});

const hosts = 20;
const count = Number(process.argv[2] ?? 1000);
const mebibytes = () => process.memoryUsage().rss / 2 ** 20;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const lab = await startLab({ network: '127.97.0.0/20', hosts, clock: wallClock(50) });
const emptyMiB = mebibytes();
const token = lab.proxmox.token();
const agent = new Agent({ keepAlive: true, maxSockets: 3 * hosts, ca: lab.proxmox.ca });

function call(method, path, form = {}) {
  const host = /^\/nodes\/([^/]+)/.exec(path)?.[1] ?? 'pve1';
  const body = new URLSearchParams(form).toString();
  const headers = { authorization: `PVEAPIToken=${token}` };
  if (method !== 'GET') headers['content-length'] = Buffer.byteLength(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${lab.proxmox.endpoints.get(host)}/api2/json${path}`,
      { method, agent, headers },
      (response) => {
        let text = '';
        response.on('data', (piece) => (text += piece));
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(JSON.parse(text).data)
            : reject(new Error(`${path}: ${response.statusMessage} ${text}`)),
        );
      },
    );
    sent.on('error', reject);
    sent.end(method === 'GET' ? undefined : body);
  });
}

async function work(method, path, form) {
  const upid = await call(method, path, form);
  const status = `/nodes/${upid.split(':')[1]}/tasks/${encodeURIComponent(upid)}/status`;
  for (;;) {
    const { status: now, exitstatus } = await call('GET', status);
    if (now === 'stopped') {
      if (exitstatus !== 'OK') throw new Error(`${path}: ${exitstatus}`);
      return;
    }
    await pause(20);
  }
}

const schematic = await (
  await fetch(`${lab.factory.url}/schematics`, {
    method: 'POST',
    body: 'customization: { systemExtensions: { officialExtensions: [siderolabs/qemu-guest-agent] } }',
  })
).json();
const names = Array.from({ length: hosts }, (_, index) => `pve${index + 1}`);
for (const name of names)
  await work('POST', `/nodes/${name}/storage/local/download-url`, {
    url: `${lab.factory.url}/image/${schematic.id}/v1.13.9/nocloud-amd64.qcow2`,
    content: 'import',
    filename: 'talos.qcow2',
  });

const hex = (number) => number.toString(16).padStart(2, '0').toUpperCase();
async function machine(index) {
  const path = `/nodes/${names[index % hosts]}/qemu`;
  const vmid = 1000 + index;
  await work('POST', path, {
    vmid,
    name: `vm-${vmid}`,
    memory: 512,
    cores: 1,
    agent: 1,
    scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2',
    net0: `virtio=BC:24:11:00:${hex(index >> 8)}:${hex(index & 255)},bridge=vmbr0`,
    boot: 'order=scsi0',
  });
  await work('POST', `${path}/${vmid}/status/start`);
}

const began = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: 3 * hosts }, async () => {
    while (next < count) await machine(next++);
  }),
);
while (lab.guests.running().filter(({ talos }) => talos?.stage === 'maintenance').length < count) await pause(50);
const seconds = (performance.now() - began) / 1000;
const listed = (await call('GET', '/cluster/resources?type=vm')).length;
if (listed !== count) throw new Error(`The cluster lists ${listed} VMs, and ${count} were made.`);
const before = process.cpuUsage();
await pause(5000);
const idle = process.cpuUsage(before);
process.stdout.write(
  JSON.stringify({
    seconds,
    emptyMiB,
    rssMiB: mebibytes(),
    idlePercent: ((idle.user + idle.system) / 1e6 / 5) * 100,
  }),
);
process.exit(0);

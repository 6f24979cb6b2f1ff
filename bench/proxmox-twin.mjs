// How fast the Proxmox twin answers, against a bare HTTPS server of Node that sends the same bytes; and how many calls a machine costs.
// Run by run.mjs in a process of its own.
import { Agent, createServer, request } from 'node:https';
import { performance } from 'node:perf_hooks';
import { bundled } from './bundle.mjs';

const { startProxmoxLab, clusterAuthority, hostCertificate, wallClock, callsPerMachine } = await bundled('proxmox', {
  'src/lab/proxmox/lab.ts': ['startProxmoxLab'],
  'test/proxmox/calls.ts': ['callsPerMachine'],
  'src/lab/proxmox/server/certificates.ts': ['clusterAuthority', 'hostCertificate'],
  'src/lab/clock.ts': ['wallClock'],
});

const inFlight = 16;
const agent = new Agent({ keepAlive: true, maxSockets: inFlight, rejectUnauthorized: false });

const get = (url, headers) =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (piece) => (text += piece));
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(text) : reject(new Error(`${answer.statusCode} ${answer.statusMessage}`)),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

/** Requests per second, the client in the same process. */
async function rate(ask, forMs = 1500) {
  const until = performance.now() + forMs;
  let done = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < until) {
        await ask();
        done++;
      }
    }),
  );
  return done / (forMs / 1000);
}

const lab = await startProxmoxLab({ hosts: 3, addresses: 'mapped' });
const headers = { authorization: `PVEAPIToken=${lab.token()}` };
const url = `${lab.endpoints.get('pve1')}/api2/json/cluster/resources`;
const body = await get(url, headers);
const clock = wallClock();
const { key, crt } = hostCertificate(clusterAuthority(clock), clock, ['bare']);
const server = createServer({ key, cert: crt }, (_, answer) => answer.end(body));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const bareUrl = `https://127.0.0.1:${server.address().port}/`;

let [twin, bare] = [0, 0];
for (let round = 0; round < 3; round++) {
  bare = Math.max(bare, await rate(() => get(bareUrl)));
  twin = Math.max(twin, await rate(() => get(url, headers)));
}
const calls = await callsPerMachine(20);
process.stdout.write(JSON.stringify({ twin, bare, calls }));
process.exit(0);

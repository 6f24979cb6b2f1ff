// A thousand Talos twins in one process: what they cost, and how fast one answers. Run by run.mjs in a process of its own.
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { connect as connectTls } from 'node:tls';
import { bundled } from './bundle.mjs';

const { startTalosLab, quickDurations, callThrough, openSession } = await bundled('talos-lab', {
  'src/lab/talos/lab.ts': ['startTalosLab'],
  'src/lab/talos/node/hardware.ts': ['quickDurations'],
  'src/lab/grpc/client.ts': ['callThrough', 'openSession'],
});

const count = Number(process.argv[2] ?? 1000);
const perSecond = (what, since) => what / ((performance.now() - since) / 1000);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const started = performance.now();
const lab = await startTalosLab({ durations: quickDurations });
const addresses = Array.from({ length: count }, (_, index) => `127.96.${Math.floor(index / 250)}.${(index % 250) + 1}`);
for (const address of addresses) await lab.add({ address });
while (![...lab.twins.values()].every((twin) => twin.stage() === 'maintenance')) await pause(10);
const startSeconds = (performance.now() - started) / 1000;

async function open(host) {
  const raw = connect({ host, port: 50_000 });
  const socket = connectTls({ socket: raw, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  await new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
  });
  return { session: openSession(socket), close: () => socket.destroy() };
}

async function* nothing() {
  yield new Uint8Array(0);
}

async function ask(session) {
  const call = { path: '/machine.MachineService/Version', metadata: new Map(), requests: nothing() };
  for await (const reply of callThrough(session, call, AbortSignal.timeout(10_000)))
    if (reply.length === 0) throw new Error('An empty version.');
}

const knocked = performance.now();
for (let at = 0; at < addresses.length; at += 20)
  await Promise.all(
    addresses.slice(at, at + 20).map(async (host) => {
      const { session, close } = await open(host);
      await ask(session);
      close();
    }),
  );
const handshakes = perSecond(count, knocked);

const { session, close } = await open(addresses[0]);
const asked = performance.now();
const rounds = 3000;
for (let done = 0; done < rounds; done += 50) await Promise.all(Array.from({ length: 50 }, () => ask(session)));
const calls = perSecond(rounds, asked);
close();

process.stdout.write(JSON.stringify({ startSeconds, handshakes, calls, rssMiB: process.memoryUsage().rss / 2 ** 20 }));
process.exit(0);

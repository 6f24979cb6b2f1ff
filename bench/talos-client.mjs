// Handshakes and unary calls of the Talos client over a twin in the same process, against bare TLS and bare HTTP/2 to the same twin.
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { bundled } from './bundle.mjs';

const host = '127.77.9.1';
const inFlight = 16;

/** How often `work` ends per second of processor time, ours and the twin’s together, while `inFlight` of it run at once. */
async function rate(work, cpuMs) {
  const started = process.cpuUsage();
  const spentMs = () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
  let done = 0;
  const worker = async () => {
    while (spentMs() < cpuMs) {
      await work();
      done++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return (done / spentMs()) * 1000;
}

/** The best of three turns each. */
async function compare(one, other, cpuMs) {
  let [ours, bare] = [0, 0];
  for (let round = 0; round < 3; round++) {
    ours = Math.max(ours, await rate(one, cpuMs));
    bare = Math.max(bare, await rate(other, cpuMs));
  }
  return { ours, bare, ratio: bare / ours };
}

export async function talosClient() {
  const { aStory, openTalos, secureContextOf, startTalosLab, quickDurations } = await bundled('talos-client-story', {
    'test/talos/story.ts': ['aStory'],
    'src/clients/talos/node.ts': ['openTalos'],
    'src/clients/talos/credentials.ts': ['secureContextOf'],
    'src/lab/talos/lab.ts': ['startTalosLab'],
    'src/lab/talos/node/hardware.ts': ['quickDurations'],
  });
  const signal = new AbortController().signal;
  const story = await aStory([host], []);
  const lab = await startTalosLab({ durations: quickDurations });
  await lab.add({ address: host, boot: 'disk', config: [...story.configs.values()][0] });
  const access = await story.access();
  const node = openTalos({ host, access });
  while ((await node.version(signal).catch(() => undefined)) === undefined)
    await new Promise((go) => setTimeout(go, 20));

  const dial = () =>
    new Promise((resolve, reject) => {
      const socket = connectTls(
        { host, port: 50000, secureContext: secureContextOf(access), ALPNProtocols: ['h2'] },
        () => resolve(socket),
      );
      socket.once('error', reject);
    });
  const socket = await dial();
  const session = connectHttp2(`https://${host}:50000`, { createConnection: () => socket });
  const bareCall = () => call(session);
  const calls = await compare(() => node.version(signal), bareCall, 500);
  const handshakes = await compare(
    async () => {
      const fresh = openTalos({ host, access });
      await fresh.version(signal);
      await fresh[Symbol.asyncDispose]();
    },
    async () => {
      const raw = await dial();
      const closed = new Promise((go) => raw.once('close', go));
      const own = connectHttp2(`https://${host}:50000`, { createConnection: () => raw });
      await call(own);
      own.destroy();
      raw.destroy();
      await closed;
    },
    500,
  );
  session.destroy();
  await node[Symbol.asyncDispose]();
  await lab[Symbol.asyncDispose]();
  return { calls, handshakes };
}

const call = (session) =>
  new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/machine.MachineService/Version',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let status;
    stream.once('trailers', (trailers) => (status = trailers['grpc-status']));
    stream.once('error', reject);
    stream.once('end', () => (status === '0' ? resolve() : reject(new Error(`status ${status}`))));
    stream.resume();
    stream.end(Buffer.alloc(5));
  });

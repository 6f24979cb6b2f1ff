// How fast the Kubernetes twin is at what people do much of, and what an empty cluster weighs. Run by run.mjs in a process of its own.
import { createServer } from 'node:https';
import { performance } from 'node:perf_hooks';
import { bundled } from './bundle.mjs';

const { startTwinTarget, startKubernetesTwin, speedOf, wholeSize, makeAuthority, Caller } = await bundled(
  'kubernetes',
  {
    'test/conformance/kubernetes/twin.ts': ['startTwinTarget'],
    'test/conformance/kubernetes/pki.ts': ['makeAuthority'],
    'test/conformance/kubernetes/call.ts': ['Caller'],
    'src/lab/kubernetes/start.ts': ['startKubernetesTwin'],
    'test/kubernetes/speed.ts': ['speedOf', 'wholeSize'],
  },
);

const clusters = 200;
const mebibytes = () => {
  globalThis.gc();
  return process.memoryUsage().rss / 2 ** 20;
};
const warm = startKubernetesTwin();
const before = mebibytes();
const twins = Array.from({ length: clusters }, () => startKubernetesTwin());
const perCluster = (mebibytes() - before) / clusters;
for (const twin of [warm, ...twins]) await twin[Symbol.asyncDispose]();

const target = await startTwinTarget(undefined, { controllers: 'off' });
const speed = await speedOf(target, wholeSize);

/** The same bytes from a server that does nothing else. */
const caller = new Caller(target);
const list = async (from) => {
  let bytes = '';
  for await (const chunk of await from.open('GET', '/api/v1/namespaces/speed/configmaps')) bytes += chunk;
  return bytes;
};
const text = await list(caller);
const authority = await makeAuthority('bare');
const { crt, key } = await authority.server('127.0.0.1');
const server = createServer({ cert: crt, key }, (_, answer) => answer.end(text));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const bare = new Caller({ ...target, ca: authority.crt, url: `https://127.0.0.1:${server.address().port}` });
let bareMs = Infinity;
for (let round = 0; round < 3; round++) {
  const from = performance.now();
  await list(bare);
  bareMs = Math.min(bareMs, performance.now() - from);
}
process.stdout.write(JSON.stringify({ ...speed, bareMs, perCluster, clusters }));
process.exit(0);

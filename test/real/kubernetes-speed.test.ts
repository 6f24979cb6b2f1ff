import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKubernetes } from '../../src/clients/kubernetes/client.ts';
import { startTwinTarget } from '../conformance/kubernetes/twin.ts';
import { speedOf, wholeSize, type Speed } from '../kubernetes/speed.ts';
import { startKube, type Kube } from './kube.ts';
import { buildTimeoutMs } from './peers.ts';
import { runToEnd } from './processes.ts';

let kube: Kube;

beforeAll(async () => {
  kube = await startKube();
}, 4 * buildTimeoutMs);

afterAll(() => kube?.[Symbol.asyncDispose]());

const server = (): { readonly url: string; readonly ca: string; readonly token: string } => ({
  url: kube.url,
  ca: kube.certificate,
  token: kube.token,
});

test('the twin and the real server side by side', { timeout: 300_000 }, async () => {
  await using twin = await startTwinTarget(undefined, { controllers: 'off' });
  const [ours, theirs] = [await speedOf(twin, wholeSize), await speedOf(server(), wholeSize)];
  const row = (what: string, of: (speed: Speed) => number): string =>
    `${what.padEnd(40)} ${of(ours).toFixed(0).padStart(7)} ms ${of(theirs).toFixed(0).padStart(7)} ms  ${(of(ours) / of(theirs)).toFixed(2)}x\n`;
  process.stderr.write(
    [
      `${''.padEnd(40)} ${'twin'.padStart(10)} ${'real'.padStart(10)}\n`,
      row(`make ${ours.objects} objects`, ({ makeMs }) => makeMs),
      row(`list ${ours.objects} objects (${ours.listMiB.toFixed(1)} MiB)`, ({ listMs }) => listMs),
      row(`one change told to ${ours.watches} watches`, ({ fanOutMs }) => fanOutMs),
      row(`apply ${ours.applied} objects`, ({ applyMs }) => applyMs),
    ].join(''),
  );
  // A twin shares its process with the client; nobody should wait much longer for it all the same.
  for (const of of ['listMs', 'fanOutMs', 'applyMs'] as const) expect(ours[of] / theirs[of]).toBeLessThan(10);
});

test(
  'CPU of a request: our client, curl, and kubectl get --raw, on the real server',
  { timeout: 300_000 },
  async () => {
    const count = 2000;
    await kube.request('POST', '/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'asked' },
      data: { value: 'x'.repeat(1000) },
    });
    const client = openKubernetes({
      server: kube.url,
      ca: kube.certificate,
      tlsServerName: undefined,
      insecure: false,
      proxy: undefined,
      credentials: { kind: 'token', token: kube.token },
      as: undefined,
      namespace: 'default',
    });
    const get = (): Promise<unknown> =>
      client.get(
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'asked', namespace: 'default' },
        AbortSignal.timeout(30_000),
      );
    for (let each = 0; each < 200; each++) await get();
    const before = process.cpuUsage();
    for (let each = 0; each < count; each++) await get();
    const { user, system } = process.cpuUsage(before);
    await client[Symbol.asyncDispose]();
    const ours = (user + system) / 1000 / count;
    const path = `${kube.url}/api/v1/namespaces/default/configmaps/asked`;
    const curl = await cpuOf(`curl -sk -o /dev/null -H 'Authorization: Bearer ${kube.token}' '${path}?n=[1-${count}]'`);
    const kubectl = await cpuOf(
      `for each in $(seq 10); do "$KUBECTL" --kubeconfig '${kube.kubeconfig}' get --raw /api/v1/namespaces/default/configmaps/asked; done`,
    );
    process.stderr.write(
      `CPU per request: ichor ${ours.toFixed(3)} ms, curl ${(curl / count).toFixed(3)} ms on one connection, kubectl get --raw ${(kubectl / 10).toFixed(0)} ms with its start\n`,
    );
    expect(ours / (curl / count)).toBeLessThan(20);
    expect(ours).toBeLessThan(kubectl / 10);
  },
);

/** Milliseconds of processor that a line of shell takes. */
async function cpuOf(line: string): Promise<number> {
  const script = `TIMEFORMAT='%U %S'; time { ${line} >/dev/null; }`;
  const { peerProgram } = await import('./peers.ts');
  const env = { KUBECTL: await peerProgram('kubectl') };
  const { stderr } = await runToEnd('bash', ['-c', script], { home: '/tmp', env });
  const [user = 0, system = 0] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return (user + system) * 1000;
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlatformLab } from '../../test/observe/platform-lab.ts';
import { MemoryStore } from '../../test/memory-store.ts';
import { plain } from '../../test/observe/plain.ts';
import { diffText } from '../cli/views/diff-text.ts';
import { statusText } from '../cli/views/status-text.ts';
import { verificationText } from '../cli/views/verify-text.ts';
import { planPlatform } from '../plan/plan.ts';
import { differencesIn } from './drift.ts';
import { lookAtPlatform } from './sight.ts';
import { statusOf } from './status.ts';
import { verify } from './verify.ts';

let lab: PlatformLab;
beforeAll(async () => {
  lab = await PlatformLab.start((text) => text.replace('general: { replicas: 3', 'general: { replicas: 1'));
});
afterAll(() => lab[Symbol.asyncDispose]());

const soon = (): AbortSignal => AbortSignal.timeout(60_000);
const dated = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d/g, 'DATE')
    .replaceAll(/in \d+ days/g, 'in N days')
    .replace(/\(\S+ has the address/, '(HOLDER has the address');

test('before anything is there, every check says what is missing', async () => {
  const { checks, failed } = await verify(lab.meant, lab.tools(), soon());
  expect(failed).toBeGreaterThan(0);
  expect(checks.filter(({ state }) => state === 'failed').every(({ remedy }) => remedy !== '')).toBe(true);
  const status = await statusOf(lab.meant, lab.tools(), soon());
  expect(status.well).toBe(false);
  expect(status.wrong).toEqual(['there is no Kubernetes yet']);
});

test('a platform that runs is well, and everything holds', async () => {
  await lab.up();
  expect(dated(verificationText(await verify(lab.meant, lab.tools(), soon()), plain))).toBe(`\
✓ machines      All 4 machines run Talos.
✓               All have Talos v1.13.9.
✓ nodes         All machines are Ready nodes.
✓               All have Kubernetes v1.36.3.
✓               All nodes take pods.
✓ time          Every machine’s clock is in step with its time server.
✓ etcd          The members of etcd are the control planes, and all vote.
✓               All members agree on one leader and are healthy.
✓               No alarm is raised.
✓ endpoint      The Kubernetes API answers at https://127.80.0.130:6443. (HOLDER has the address)
✓ pods          All pods of kube-system are ready.
- network       Cilium is ready on every node. Not looked at: the file has another network.
✓ certificates  The certificate of talosconfig is good for at least 30 days. (it ends on DATE, in N days)
✓               The certificate of kubeconfig is good for at least 30 days. (it ends on DATE, in N days)
✓               The certificates of the Talos API have not run out. (the first ends on DATE)
✓               The certificates of the Kubernetes API have not run out. (the first ends on DATE)
✓ files         The files in talos are there and up to date.
✓               Nobody else may read them.

prod: 18 checks, 17 fine, 1 skipped.
`);
});

test('its status is a table', async () => {
  const status = await statusOf(lab.meant, lab.tools(), soon());
  expect(statusText(status, plain).replace(`(at ${status.vipHolder})`, '(at HOLDER)')).toBe(`\
prod: all is well, 4 of 4 nodes Ready.

   machine         host  power  address       talos            etcd    node   kubernetes
✓  prod-cp-0       pve1  on     127.80.0.131  running v1.13.9  member  Ready  v1.36.3
✓  prod-cp-1       pve2  on     127.80.0.132  running v1.13.9  member  Ready  v1.36.3
✓  prod-cp-2       pve3  on     127.80.0.133  running v1.13.9  member  Ready  v1.36.3
✓  prod-general-0  pve1  on     127.80.0.140  running v1.13.9  -       Ready  v1.36.3

wanted    Talos v1.13.9, Kubernetes v1.36.3
provider  Proxmox VE 9.2.11
endpoint  https://127.80.0.130:6443 (at HOLDER)
network   left to Talos or to you
to do     nothing
last run  none
`);
  expect(status.well).toBe(true);
});

test('it has no differences', async () => {
  const { world } = await lookAtPlatform(lab.meant, lab.tools(), soon());
  const { plan } = planPlatform(lab.platform, world, { intent: 'converge' });
  expect(diffText(differencesIn(plan), plain)).toBe('prod: No difference.\n');
});

const checked = async (tools = lab.tools()): Promise<readonly string[]> =>
  (await verify(lab.meant, tools, soon())).checks.map(({ state, what, why }) =>
    state === 'ok' ? `ok: ${what}` : `${state}: ${what} ${why}`,
  );

test('where Kubernetes does not answer, nothing that only it knows is said to hold', async () => {
  lab.lab.failClusters({ kind: 'refuse', code: 503 });
  const found = await checked();
  lab.lab.healClusters();
  expect(found.filter((line) => /Kubernetes|pods|Cilium/.test(line) && !/certificate/.test(line))).toEqual([
    'failed: All machines are Ready nodes. Kubernetes refused to tell what it serves (/api): the server is currently unable to handle the request',
    'skipped: All have Kubernetes v1.36.3. no node says',
    'skipped: All nodes take pods. no node says',
    'failed: The Kubernetes API answers at https://127.80.0.130:6443. it says 503: the server is currently unable to handle the request',
    'skipped: All pods of kube-system are ready. the API does not answer',
    'skipped: Cilium is ready on every node. the file has another network',
  ]);
});

test('without its secrets nothing is concluded about a cluster that runs', async () => {
  const store = new MemoryStore();
  const tools = { ...lab.tools(), store, modeOf: () => Promise.resolve(undefined) };
  const found = await checked(tools);
  expect(found.filter((line) => line.startsWith('ok'))).toEqual([]);
  const locked = 'its machines are configured, and not with secrets that are here';
  expect(found).toEqual(
    expect.arrayContaining([
      'skipped: All have Talos v1.13.9. no machine says',
      `skipped: The members of etcd are the control planes, and all vote. ${locked}`,
      `skipped: The Kubernetes API answers. ${locked}`,
      'skipped: Nobody else may read them. there are none',
    ]),
  );
  const files = (await verify(lab.meant, tools, soon())).checks.find(({ about }) => about === 'files');
  expect(files?.remedy).toBe(
    'Without its secrets nobody gets into a cluster. Go to the folder that it was built in, name its --workspace, or build it:\n    ichor up',
  );
  const status = await statusOf(lab.meant, tools, soon());
  expect(status.wrong).toEqual([locked]);
  const text = statusText(status, plain);
  expect(text).toMatch(/^network +unknown$/m);
  expect(text).toMatch(/^to do +a question for you \(ichor plan\)$/m);
  expect(text).toMatch(/prod-cp-0 .* foreign +unknown/);
});

test('with a host gone, what is wrong is said with what to type, and what still holds is said too', async () => {
  lab.lab.proxmox.setHost('pve3', 'dead');
  const { checks } = await verify(lab.meant, lab.tools(), soon());
  const wrong = checks.filter(({ state }) => state === 'failed');
  expect(wrong.map(({ about, remedy }) => `${about}: ${remedy.split('\n').at(-1)?.trim()}`)).toContain(
    'machines: ichor plan --only prod',
  );
  expect(checks.find(({ what }) => what === 'No alarm is raised.')?.state).toBe('ok');
  expect(checks.find(({ what }) => what === 'All have Talos v1.13.9.')).toMatchObject({
    state: 'skipped',
    why: 'prod-cp-2 does not say',
  });
  const status = await statusOf(lab.meant, lab.tools(), soon());
  expect(status.machines.map(({ name, wrong: own }) => `${name} ${own.length}`)).toEqual([
    'prod-cp-0 0',
    'prod-cp-1 0',
    'prod-cp-2 1',
    'prod-general-0 0',
  ]);
  expect(status.wrong).toContain('pve3 does not answer: it is offline');
});

import { afterEach, expect, test } from 'vitest';
import { asked, eventually, machineStatus } from '../../../test/lab/asking.ts';
import { secured } from '../../../test/lab/caller.ts';
import { configOf } from '../../../test/lab/configs.ts';
import { clientOf, makeCa, makeSecrets } from '../../../test/lab/secrets.ts';
import { alertOf } from '../../../test/tls-alerts.ts';
import { openSession } from '../grpc/client.ts';
import { startTalosLab } from './lab.ts';
import type { RunningTalosLab, TalosLabOptions } from './lab.ts';
import { quickDurations } from './node/hardware.ts';
import type { TwinOptions } from './twin.ts';

const secrets = makeSecrets();
const admin = clientOf(secrets.os, ['os:admin']);
// Another checkout may run the same tests at the same time.
const block = `127.${100 + (process.pid % 100)}.${Math.floor(process.pid / 100) % 250}`;
const vip = `${block}.100`;
const cp = [`${block}.1`, `${block}.2`, `${block}.3`] as const;
const worker = `${block}.4`;
const at = (host: string) => ({ host, client: admin });

let lab: RunningTalosLab;
afterEach(() => lab[Symbol.asyncDispose]());

async function aLab(options: TalosLabOptions = {}): Promise<RunningTalosLab> {
  lab = await startTalosLab({ durations: quickDurations, ...options });
  return lab;
}

const controlPlane = configOf('controlplane', secrets, {
  documents: `---\napiVersion: v1alpha1\nkind: Layer2VIPConfig\nname: ${vip}\nlink: eth0`,
});
const workerConfig = configOf('worker', secrets);

/** A bootstrapped cluster of as many control planes, ready. */
async function aCluster(count: 1 | 3, more: Partial<TwinOptions> = {}): Promise<RunningTalosLab> {
  await aLab();
  for (const [index, address] of cp.slice(0, count).entries())
    await lab.add({ address, dhcpHostname: `cp-${index}`, config: controlPlane, ...more });
  await eventually(
    () => asked(at(cp[0]), 'Bootstrap').catch(() => ({ code: 'UNAVAILABLE' })),
    ({ code }) => code === 'OK',
  );
  for (const address of cp.slice(0, count)) await isReady(address);
  return lab;
}

const isReady = (address: string): Promise<unknown> =>
  eventually(
    () => machineStatus(at(address)),
    (status) => status?.startsWith('stage: running\nstatus:\n    ready: true') === true,
  );

const isIn = (address: string, stage: string): Promise<unknown> =>
  eventually(
    () => lab.twins.get(address)?.stage(),
    (now) => now === stage,
  );

const memberNames = async (host: string): Promise<unknown> => {
  const { replies } = await asked(at(host), 'EtcdMemberList');
  const [reply] = replies as { messages: { members: { hostname: string }[] }[] }[];
  return reply?.messages[0]?.members.map(({ hostname }) => hostname).toSorted();
};

test('three control planes and a worker come up from maintenance mode, and the virtual address answers for one of them', async () => {
  await aLab();
  for (const address of [...cp, worker]) await lab.add({ address });
  for (const address of [...cp, worker])
    await eventually(
      () => lab.twins.get(address)?.fingerprint(),
      (print) => print?.length === 44,
    );
  const data = (text: string): string => Buffer.from(text).toString('base64');
  for (const address of [...cp, worker])
    expect(
      await asked({ host: address }, 'ApplyConfiguration', {
        mode: 'AUTO',
        data: data(address === worker ? workerConfig : controlPlane),
      }),
    ).toEqual({
      code: 'OK',
      message: '',
      replies: [{ messages: [{ mode: 'NO_REBOOT', mode_details: 'Applied configuration without a reboot' }] }],
    });
  await eventually(
    () => asked(at(cp[0]), 'Bootstrap').catch(() => ({ code: '' })),
    ({ code }) => code === 'OK',
  );
  for (const address of [...cp, worker]) await isReady(address);
  expect(await memberNames(vip)).toHaveLength(3);
  expect((await asked(at(cp[1]), 'Bootstrap')).code).toBe('ALREADY_EXISTS');
});

test('the virtual address goes to another control plane when its holder loses power; without a quorum nobody has it', async () => {
  await aCluster(3);
  const holder = async (): Promise<unknown> =>
    (await asked(at(vip), 'Hostname').catch(() => ({ replies: [undefined] }))).replies[0];
  const first = await eventually(holder, (name) => name !== undefined);
  const name = (first as { messages: { hostname: string }[] }).messages[0]?.hostname;
  await lab.twins.get(cp[Number(name?.at(-1))] ?? '')?.powerOff();
  expect(await eventually(holder, (now) => now !== undefined)).not.toEqual(first);
  for (const address of cp.slice(0, 2)) await lab.twins.get(address)?.powerOff();
  await eventually(holder, (now) => now === undefined);
});

test('an ISO installs on the first apply and comes back from disk; a machine that dies on the way comes back as it was', async () => {
  await aLab();
  const twin = await lab.add({ address: cp[0], boot: 'iso' });
  await isIn(cp[0], 'maintenance');
  twin.fail({ kind: 'die-mid-install', times: 1 });
  const request = { mode: 'AUTO', data: Buffer.from(controlPlane).toString('base64') };
  await eventually(
    () => asked({ host: cp[0] }, 'ApplyConfiguration', request).catch(() => ({ code: '' })),
    ({ code }) => code === 'OK',
  );
  await isIn(cp[0], 'off');
  await twin.powerOn();
  await isIn(cp[0], 'maintenance');
  await eventually(
    () => asked({ host: cp[0] }, 'ApplyConfiguration', request).catch(() => ({ code: '' })),
    ({ code }) => code === 'OK',
  );
  await eventually(
    () => machineStatus(at(cp[0])),
    (status) => status?.includes('etcd not running') === true,
  );
});

test('an upgrade boots the other image; one that does not come up is left for the old one; rollback goes back by hand', async () => {
  await aCluster(1);
  const twin = lab.twins.get(cp[0]);
  const upgrade = async (image: string): Promise<void> => {
    const containerd = { driver: 'CRI', namespace: 'NS_SYSTEM' };
    expect((await asked(at(cp[0]), '/machine.ImageService/Pull', { containerd, image_ref: image })).code).toBe('OK');
    const { replies } = await asked(at(cp[0]), '/machine.LifecycleService/Upgrade', {
      containerd,
      source: { image_name: image },
    });
    expect(replies.at(-1)).toEqual({ progress: { exit_code: 0 } });
    await asked(at(cp[0]), 'Reboot');
    await eventually(
      () => twin?.stage(),
      (stage) => stage !== 'running',
    );
    await isReady(cp[0]);
  };
  await upgrade('registry.example.org/installer:v1.13.10');
  expect(twin?.version()).toBe('v1.13.10');
  twin?.fail({ kind: 'broken-image', image: 'v1.14.0' });
  await upgrade('registry.example.org/installer:v1.14.0');
  expect(twin?.version()).toBe('v1.13.10');
  await upgrade('registry.example.org/installer:v1.13.11');
  await asked(at(cp[0]), 'Rollback');
  await eventually(
    () => twin?.stage(),
    (stage) => stage !== 'running',
  );
  await isReady(cp[0]);
  expect(twin?.version()).toBe('v1.13.10');
});

test('a snapshot restores a cluster after its data was wiped', async () => {
  await aCluster(1);
  const { replies } = await asked(at(cp[0]), 'EtcdSnapshot');
  const chunks = (replies as { bytes: string }[]).map(({ bytes }) => Buffer.from(bytes, 'base64'));
  expect(chunks.at(-1)).toHaveLength(32);
  await asked(at(cp[0]), 'Reset', {
    graceful: false,
    reboot: true,
    system_partitions_to_wipe: [{ label: 'EPHEMERAL', wipe: true }],
  });
  await eventually(
    () => machineStatus(at(cp[0])),
    (status) => status?.includes('etcd not running') === true && status.startsWith('stage: booting'),
  );
  await eventually(
    () => asked(at(cp[0]), 'EtcdRecover', { bytes: Buffer.concat(chunks).toString('base64') }),
    ({ code }) => code === 'OK',
  );
  expect((await asked(at(cp[0]), 'Bootstrap', { recover_etcd: true })).code).toBe('OK');
  await isReady(cp[0]);
  const again = await asked(at(cp[0]), 'EtcdSnapshot');
  const restored = (again.replies as { bytes: string }[]).map(({ bytes }) => Buffer.from(bytes, 'base64'));
  expect(Buffer.concat(restored).includes('/registry/talos/members/cp-0')).toBe(true);
});

test('a whole reset with reboot leads back to maintenance mode, and a new configuration makes a new node of it', async () => {
  await aCluster(1);
  await asked(at(cp[0]), 'Reset', {
    graceful: false,
    reboot: true,
    system_partitions_to_wipe: [
      { label: 'STATE', wipe: true },
      { label: 'EPHEMERAL', wipe: true },
    ],
  });
  await isIn(cp[0], 'maintenance');
  expect(lab.twins.get(cp[0])?.config()).toBeUndefined();
});

test.each([
  ['no certificate', undefined, 116],
  ['an expired one', clientOf(secrets.os, ['os:admin'], { days: -1 }), 45],
  ['one of another CA', clientOf(makeCa('talos', 'ed25519'), ['os:admin']), 48],
  ['one that servers may use too', clientOf(secrets.os, ['os:admin'], { purposes: ['client', 'server'] }), 42],
] as const)('%s is refused by an alert after the handshake', async (_, client, alert) => {
  await aLab();
  await lab.add({ address: cp[0], config: controlPlane });
  await eventually(
    () => machineStatus(at(cp[0])),
    (status) => status !== undefined,
  );
  const socket = await secured({ host: cp[0], ...(client === undefined ? {} : { client }) });
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve));
  expect(alertOf(error.code)).toBe(alert);
});

test('the fourth ping without traffic ends the connection', async () => {
  await aLab();
  await lab.add({ address: cp[0] });
  await eventually(
    () => lab.twins.get(cp[0])?.fingerprint(),
    (print) => print !== undefined,
  );
  const session = openSession(await secured({ host: cp[0] }));
  const goaway = new Promise<unknown>((resolve) =>
    session.once('goaway', (code, _, data?: Buffer) => resolve([code, data?.toString()])),
  );
  await new Promise((resolve) => session.once('connect', resolve));
  for (let ping = 0; ping < 4; ping++) session.ping(() => undefined);
  expect(await goaway).toEqual([11, 'too_many_pings']);
  session.destroy();
});

test.each([
  [
    { kind: 'error', method: '/machine.MachineService/Version', error: { code: 14, message: 'gone' }, times: 1 },
    'UNAVAILABLE',
    'gone',
  ],
  [
    { kind: 'lose-answer', method: '/machine.MachineService/Version', times: 1 },
    'UNAVAILABLE',
    'error reading from server: EOF',
  ],
  [{ kind: 'hang', method: '/machine.MachineService/Version', times: 1 }, 'DEADLINE_EXCEEDED', ''],
] as const)('a fault happens as often as it was asked for: %j', async (fault, code, message) => {
  await aLab();
  const twin = await lab.add({ address: cp[0] });
  await eventually(
    () => twin.fingerprint(),
    (print) => print !== undefined,
  );
  twin.fail(fault);
  expect(await asked({ host: cp[0] }, 'Version', {}, { deadlineMs: 300 })).toMatchObject({ code, message });
  expect((await asked({ host: cp[0] }, 'Version')).code).toBe('OK');
});

test('before 1.13 maintenance mode answers little, and does not say its version that way', async () => {
  await aLab();
  await lab.add({ address: cp[0], version: 'v1.12.4' });
  await eventually(
    () => lab.twins.get(cp[0])?.fingerprint(),
    (print) => print !== undefined,
  );
  const node = { host: cp[0] };
  expect(await asked(node, 'Version')).toMatchObject({
    code: 'UNIMPLEMENTED',
    message: 'API is not implemented in maintenance mode',
  });
  expect(await asked(node, 'Hostname')).toMatchObject({
    code: 'UNIMPLEMENTED',
    message: 'method Hostname not implemented',
  });
  expect(await asked(node, '/machine.ImageService/List')).toMatchObject({
    code: 'UNIMPLEMENTED',
    message: 'unknown service machine.ImageService',
  });
  expect(
    (
      await asked(node, '/cosi.resource.State/Get', {
        namespace: 'runtime',
        type: 'Versions.runtime.talos.dev',
        id: 'version',
      })
    ).code,
  ).toBe('OK');
});

test('where only 127.0.0.1 can be listened on, nodes are reached through the connector', async () => {
  await aLab({ addresses: 'mapped' });
  await lab.add({ address: '10.77.0.1' });
  await eventually(
    () => lab.twins.get('10.77.0.1')?.fingerprint(),
    (print) => print !== undefined,
  );
  const socket = await lab.connector()({ host: '10.77.0.1', port: 50_000 }, AbortSignal.timeout(5000));
  socket.destroy();
  await expect(lab.connector()({ host: '10.77.0.2', port: 50_000 }, AbortSignal.timeout(5000))).rejects.toThrow(
    'ECONNREFUSED 10.77.0.2:50000',
  );
});

test('an address that is not there is named, with what to type', async () => {
  await aLab();
  await expect(lab.add({ address: '203.0.113.7' })).rejects.toThrow(
    /Nothing can listen on 203\.0\.113\.7 here\.[^]*203\.0\.113\.7/,
  );
});

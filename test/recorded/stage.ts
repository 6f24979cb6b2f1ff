import { startTalosLab } from '../../src/lab/talos/lab.ts';
import type { RunningTalosLab } from '../../src/lab/talos/lab.ts';
import { quickDurations } from '../../src/lab/talos/node/hardware.ts';
import { call } from '../lab/caller.ts';
import type { Target } from '../lab/caller.ts';
import { configOf } from '../lab/configs.ts';
import { clientOf, makeCa, makeSecrets } from '../lab/secrets.ts';
import { requestBytes } from '../lab/codec.ts';
import type { Row } from './rows.ts';

export const secrets = makeSecrets();
const otherCa = makeCa('talos', 'ed25519');
export const acceptedCa = makeCa('talos', 'ed25519');
const admin = clientOf(secrets.os, ['os:admin']);

export const address = { cp1: '127.91.0.40', cp2: '127.91.0.41', worker: '127.91.0.42', cp3: '127.91.0.43' } as const;
export type NodeName = keyof typeof address;

const hostnames: Readonly<Record<NodeName, string>> = {
  cp1: 'chk-cp1',
  cp2: 'chk-cp2',
  worker: 'chk-w1',
  cp3: 'chk-cp3',
};

/** A lab of container nodes as the recordings were made on. */
export type Stage = AsyncDisposable & { readonly lab: RunningTalosLab };

export const configFor = (name: NodeName, machine?: string): string =>
  configOf(name === 'worker' ? 'worker' : 'controlplane', secrets, {
    endpoint: `https://${address.cp1}:6443`,
    kubelet: '        extraConfig:\n            failCgroupV1: false',
    ...(machine === undefined ? {} : { machine }),
  });

export async function stageOf(
  nodes: readonly NodeName[],
  state: Row['state'],
  durations: Partial<typeof quickDurations> = {},
): Promise<Stage> {
  const lab = await startTalosLab({ durations: { ...quickDurations, ...durations } });
  for (const name of nodes)
    await lab.add({
      address: address[name],
      dhcpHostname: hostnames[name],
      platform: 'container',
      hardware: { links: [{ name: 'eth0', mac: '5a:37:76:80:c1:3a' }] },
      ...(state === 'maintenance' ? {} : { config: configFor(name) }),
    });
  const stage: Stage = { lab, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
  if (state === 'maintenance') for (const name of nodes) await shown(lab, name, 'maintenance');
  else for (const name of nodes) await serviceUp(name, 'kubelet');
  if (state !== 'bootstrapped') return stage;
  await call({ host: address.cp1, client: admin }, '/machine.MachineService/Bootstrap', [new Uint8Array(0)]);
  for (const name of nodes) await ready(name);
  return stage;
}

async function shown(lab: RunningTalosLab, name: NodeName, stage: string): Promise<void> {
  await until(async () => lab.twins.get(address[name])?.stage() === stage && (await answers({ host: address[name] })));
}

const answers = (target: Target): Promise<boolean> =>
  call(target, '/machine.MachineService/Hostname', [new Uint8Array(0)]).then(
    ({ code }) => code === 0,
    () => false,
  );

export async function until(holds: () => Promise<boolean>, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('What a recording needs did not come about.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const statusPath = '/cosi.resource.State/Get';
const statusRequest = requestBytes(statusPath, {
  namespace: 'runtime',
  type: 'MachineStatuses.runtime.talos.dev',
  id: 'machine',
});

export const ready = (name: NodeName): Promise<void> =>
  until(() =>
    call({ host: address[name], client: admin }, statusPath, [statusRequest]).then(
      ({ messages }) =>
        Buffer.from(messages[0] ?? []).includes('ready: true') &&
        Buffer.from(messages[0] ?? []).includes('stage: running'),
      () => false,
    ),
  );

const serviceUp = (name: NodeName, service: string): Promise<void> =>
  until(() =>
    call({ host: address[name], client: admin }, statusPath, [
      requestBytes(statusPath, { namespace: 'runtime', type: 'Services.v1alpha1.talos.dev', id: service }),
    ]).then(
      ({ messages }) => Buffer.from(messages[0] ?? []).includes('healthy: true'),
      () => false,
    ),
  );

/** Certificates for the roles that the recordings name. */
export function clientFor(row: Row): Target['client'] {
  switch (row.role) {
    case 'none':
    case 'token':
      return undefined;
    case '(empty O)':
      return clientOf(secrets.os, []);
    case 'os:admin, expired':
      return clientOf(secrets.os, ['os:admin'], { days: -1 });
    case 'os:admin, other CA':
      return clientOf(otherCa, ['os:admin']);
    case 'os:admin, EKU clientAuth+serverAuth':
      return clientOf(secrets.os, ['os:admin'], { purposes: ['client', 'server'] });
    case 'os:admin, EKU serverAuth only':
      return clientOf(secrets.os, ['os:admin'], { purposes: ['server'] });
    case 'os:admin, no EKU':
      return clientOf(secrets.os, ['os:admin'], { purposes: [] });
    case 'os:admin of an accepted CA':
      return clientOf(acceptedCa, ['os:admin']);
    case 'os:admin certificate offered':
    case 'os:admin':
      return admin;
    default:
      return clientOf(secrets.os, row.role.split('+'));
  }
}

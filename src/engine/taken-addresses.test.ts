import { expect, test } from 'vitest';
import { platformFile } from '../../test/said.ts';
import { platformOf } from '../../test/talos-platform.ts';
import { virtualTime } from '../../test/virtual-time.ts';
import type { Resident } from '../model/host.ts';
import type { Meant, Preview } from './run.ts';
import { takenAddresses } from './taken-addresses.ts';

const platform = platformOf(
  platformFile({ cluster: '{ endpoint: { vip: 10.0.0.100 }, controlPlane: { replicas: 1 }, workers: {} }' }),
);

const create = (machine: string, address?: string) => ({
  machine,
  step: { kind: 'machine.create', machine, order: { staticAddress: address === undefined ? undefined : { address } } },
});

type Given = {
  readonly steps: readonly unknown[];
  /** Where something answers; others say nothing at all. */
  readonly answering?: readonly string[];
  readonly residents?: readonly Partial<Resident>[];
  readonly machines?: readonly { readonly name: string; readonly address: string }[];
  readonly bootstrap?: { readonly machine: string };
};

async function found({
  steps,
  answering = [],
  residents = [],
  machines = [],
  bootstrap,
}: Given): Promise<readonly string[]> {
  const { pause, until } = virtualTime();
  const silence = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('over'))));
  const asked = async <T>(host: string, answer: T, signal: AbortSignal): Promise<T> =>
    answering.includes(host) ? answer : silence(signal);
  const tools = {
    pause,
    talos: {
      probe: ({ host }: { readonly host: string }, signal: AbortSignal) => asked(host, { kind: 'configured' }, signal),
    },
    shownCertificate: ({ host }: { readonly host: string }, signal: AbortSignal) => asked(host, 'PEM', signal),
  } as unknown as Parameters<typeof takenAddresses>[2];
  const world = { machines, memory: { bootstrap }, provider: { inventory: { hosts: [{ name: 'pve1', residents }] } } };
  const preview = { plan: { steps }, world } as unknown as Preview;
  const meant = { platform } as unknown as Meant;
  return (await until(takenAddresses(meant, preview, tools, new AbortController().signal))).map(
    ({ code, message }) => `${code}: ${message}`,
  );
}

const cp = create('prod-cp-0', '10.0.0.1');
const worker = create('prod-apps-0', '10.0.0.2');
const general: Partial<Resident> = { name: 'prod-general-0', platform: 'prod', vmid: 501, address: '10.0.0.2' };

test.each<[string, Given, readonly string[]]>([
  ['nobody has them', { steps: [cp, worker] }, []],
  ['machines that find their own address are not asked for', { steps: [create('prod-apps-0')] }, []],
  [
    'a machine answers there',
    { steps: [cp, worker], answering: ['10.0.0.2'] },
    [
      'address-taken: 10.0.0.2 is to be the address of prod-apps-0, and a machine with Talos that answers there has it already.',
    ],
  ],
  [
    'the VIP answers before there is a control plane',
    { steps: [cp, worker], answering: ['10.0.0.100'] },
    [
      'address-taken: 10.0.0.100 is to be the address of the Kubernetes API, and an API server that answers there has it already.',
    ],
  ],
  [
    'the VIP answers after somebody was asked to begin the cluster',
    {
      steps: [{ machine: 'prod-cp-0', step: { kind: 'etcd.bootstrap', machine: 'prod-cp-0' } }],
      answering: ['10.0.0.100'],
      bootstrap: { machine: 'prod-cp-0' },
    },
    [],
  ],
  [
    'the VIP answers before machines that exist become a cluster',
    {
      steps: [{ machine: 'prod-cp-0', step: { kind: 'etcd.bootstrap', machine: 'prod-cp-0' } }],
      answering: ['10.0.0.100'],
    },
    [
      'address-taken: 10.0.0.100 is to be the address of the Kubernetes API, and an API server that answers there has it already.',
    ],
  ],
  ['a VIP that answers in a cluster that grows', { steps: [worker], answering: ['10.0.0.100'] }, []],
  [
    'a machine of another platform was made with it, and is off',
    { steps: [cp], residents: [{ name: 'old-cp-0', platform: 'old', vmid: 401, address: '10.0.0.1' }] },
    [
      'address-taken: 10.0.0.1 is to be the address of prod-cp-0, and old-cp-0 (VM 401) on pve1, of platform old has it already.',
    ],
  ],
  [
    'one of ours that stays has it',
    { steps: [worker], residents: [general] },
    [
      'address-taken: 10.0.0.2 is to be the address of prod-apps-0, and prod-general-0 (VM 501) on pve1, of platform prod has it already.',
    ],
  ],
  [
    'one of ours has it that leaves in the same run',
    {
      steps: [worker, { machine: 'prod-general-0', step: { kind: 'machine.delete', machine: 'prod-general-0' } }],
      residents: [general],
      machines: [{ name: 'prod-general-0', address: '10.0.0.2' }],
      answering: ['10.0.0.2'],
    },
    [],
  ],
])('%s', async (_, given, said) => {
  expect(await found(given)).toEqual(said);
});

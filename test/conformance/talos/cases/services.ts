import { expect } from 'vitest';
import { answers, type Case } from '../case.ts';

const at = 'controlPlane';
const stage = 'bootstrapped';

type Service = {
  readonly id: string;
  readonly state: string;
  readonly events: { readonly events: readonly { readonly msg: string; readonly state: string }[] };
  readonly health: {
    readonly unknown?: boolean;
    readonly healthy?: boolean;
    readonly lastMessage?: string;
    readonly lastChange?: string;
  };
};

async function listed({ call }: Parameters<Case['run']>[0]): Promise<readonly Service[]> {
  const { messages } = await call(at, 'ServiceList');
  return (messages[0] as unknown as { messages: [{ services: Service[] }] }).messages[0].services;
}

const cannot = (id: string, action: string): string => `service "${id}" doesn't support ${action} operation via API`;

export const serviceCases: readonly Case[] = [
  {
    stage: 'configured',
    name: 'services: those of a control plane, by id; etcd waits in its preparation',
    run: async (world) => {
      const services = await listed(world);
      expect(services.map(({ id }) => id)).toEqual([
        'apid',
        'containerd',
        'cri',
        'etcd',
        'kubelet',
        'machined',
        'trustd',
      ]);
      const etcd = services.find(({ id }) => id === 'etcd');
      expect({ ...etcd, events: etcd?.events.events.at(-1) }).toMatchObject({
        id: 'etcd',
        state: 'Preparing',
        events: { msg: 'Running pre state', state: 'Preparing' },
        health: { unknown: true },
      });
    },
  },
  {
    stage: 'configured',
    name: 'services: apid tells its life in Talos’ words',
    run: async (world) => {
      const apid = (await listed(world)).find(({ id }) => id === 'apid');
      const told = apid?.events.events.map(({ state, msg }) => `${state}: ${msg.replaceAll(/\d+/g, 'N')}`);
      expect(told?.[0]).toBe('Starting: Starting service');
      expect(told?.slice(-4)).toEqual([
        'Preparing: Running pre state',
        'Preparing: Creating service runner',
        'Running: Started task apid (PID N) for container apid',
        'Running: Health check successful',
      ]);
    },
  },
  {
    stage,
    name: 'services: etcd gets healthy after its bootstrap, with the words of a new life',
    run: async (world) => {
      const etcdOf = async (): Promise<Service | undefined> => (await listed(world)).find(({ id }) => id === 'etcd');
      await world.until(
        () => world.call(at, 'ServiceList'),
        ({ messages }) => /"id":"etcd","state":"Running".*?"healthy":true,"lastChange"/.test(JSON.stringify(messages)),
        60_000,
      );
      const etcd = await etcdOf();
      const told = etcd?.events.events.map(({ state, msg }) => `${state}: ${msg.replaceAll(/\d+/g, 'N')}`) ?? [];
      // A service that is started anew tells its life anew; what was before is only in the events.
      expect(told[0]).toBe('Starting: Starting service');
      expect(told.slice(-4)).toEqual([
        'Preparing: Running pre state',
        'Preparing: Creating service runner',
        'Running: Started task etcd (PID N) for container etcd',
        'Running: Health check successful',
      ]);
      expect({ state: etcd?.state, healthy: etcd?.health.healthy, words: etcd?.health.lastMessage }).toEqual({
        state: 'Running',
        healthy: true,
        words: undefined,
      });
    },
  },
  ...(['Start', 'Stop', 'Restart'] as const).flatMap((action) => [
    answers(
      `services: ${action} of one that nobody knows`,
      { stage, at, method: `Service${action}`, request: { id: 'nope' } },
      { code: 'UNKNOWN', message: 'service "nope" not defined', messages: [] },
    ),
    ...['machined', 'etcd', 'apid', 'trustd'].map((id) =>
      action === 'Start'
        ? answers(
            `services: Start of ${id} is nothing, it runs`,
            { stage, at, method: 'ServiceStart', request: { id } },
            { code: 'OK', messages: [{ messages: [{ resp: `Service "${id}" started` }] }] },
          )
        : answers(
            `services: ${action} of ${id} is not for anybody`,
            { stage, at, method: `Service${action}`, request: { id } },
            { code: 'UNKNOWN', message: cannot(id, action.toLowerCase()), messages: [] },
          ),
    ),
  ]),
  answers(
    'services: kubelet may be started though it runs',
    { stage, at, method: 'ServiceStart', request: { id: 'kubelet' } },
    { code: 'OK', messages: [{ messages: [{ resp: 'Service "kubelet" started' }] }] },
  ),
  answers(
    'services: kubelet may be restarted',
    { stage, at, method: 'ServiceRestart', request: { id: 'kubelet' } },
    { code: 'OK', messages: [{ messages: [{ resp: 'Service "kubelet" restarted' }] }] },
  ),
];

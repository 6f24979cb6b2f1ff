import type { Stage } from './case.ts';
import type { Answer, Where, World } from './world.ts';

/** What takes the machines from one stage to the next. */
export const beforeStage: Readonly<Record<Stage, (world: World) => Promise<void>>> = {
  maintenance: async (world) => {
    for (const at of ['maintenance', 'controlPlane', 'worker'] as const)
      await reach(world, at, () => world.call(at, 'Version', {}, { as: 'nobody', waitMs: 2000 }));
  },
  configured: async (world) => {
    for (const at of ['controlPlane', 'worker'] as const) {
      const data = Buffer.from(world.configs[at]).toString('base64');
      const { code, message } = await world.call(at, 'ApplyConfiguration', { data, mode: 'AUTO' }, { as: 'nobody' });
      if (code !== 'OK') throw new Error(`${at} refuses its configuration: ${code} ${message.split('diff:')[0]}`);
      world.caller.forget(world.target[at].address);
    }
    for (const at of ['controlPlane', 'worker'] as const) await reach(world, at, () => ready(world, at));
    await reach(world, 'controlPlane', () => etcdWaits(world));
  },
  bootstrapped: async (world) => {
    await reach(world, 'controlPlane', () => world.call('controlPlane', 'Bootstrap'));
    await reach(world, 'controlPlane', () => world.call('controlPlane', 'EtcdMemberList', {}, { waitMs: 1000 }));
  },
  end: () => Promise.resolve(),
};

const ready = (world: World, at: Where): Promise<Answer> => world.call(at, 'Version', {}, { waitMs: 2000 });

async function etcdWaits(world: World): Promise<Answer> {
  const answer = await world.call('controlPlane', 'ServiceList');
  const waits = JSON.stringify(answer.messages).includes('{"id":"etcd","state":"Preparing"');
  return waits ? answer : { ...answer, code: 'UNAVAILABLE', message: 'etcd does not wait yet' };
}

/** Bootstrap may meet a node that is not ready for it, or one that has done it. */
async function reach(world: World, at: Where, ask: () => Promise<Answer>): Promise<void> {
  const { code, message } = await world.until(ask, (answer) => answer.code === 'OK', 120_000);
  if (code !== 'OK') throw new Error(`${at} does not get there: ${code} ${message}`);
}

import { describe, expect, test } from 'vitest';
import { told } from '../../../test/talos/told.ts';
import { Problem, type Recovery } from '../../model/problem.ts';
import type { ClusterNode, EtcdMember, ServiceState, TalosReader, TalosWriter } from '../talos.ts';
import { bootstrapCarefully, type Pace } from './bootstrap.ts';

type Talos = TalosReader & Pick<TalosWriter, 'bootstrap'>;
type Node = ClusterNode<Talos>;

const pace: Pace = { answerMs: 10, preparesMs: 10, settleMs: 20, stuckMs: 50, deadlineMs: 5000 };
const patient = AbortSignal.timeout(60_000);

const problem = (code: string, recovery: Recovery): Problem => new Problem(code, code, { recovery });
const member: EtcdMember = { id: '1', hostname: 'cp-1', peerUrls: [], clientUrls: [], learner: false };
const noAnswer = problem('talos-no-answer', 'retry');

type Etcd = { state: string; began: number; members: readonly EtcdMember[] };

/** A control plane whose etcd comes up when it is asked to, unless `answer` says otherwise at the nth request. */
function aPlane(
  name: string,
  etcd: Partial<Etcd> = {},
  answer: (nth: number, now: Etcd, comeUp: () => void) => void = (_, __, comeUp) => comeUp(),
): Node & { readonly requests: () => number } {
  const now: Etcd = { state: 'Preparing', began: 1, members: [], ...etcd };
  let requests = 0;
  const service = (): ServiceState => ({
    id: 'etcd',
    state: now.state,
    health: 'unknown',
    message: '',
    events: [{ state: 'Starting', message: 'Starting service', at: new Date(now.began) }],
  });
  const comeUp = (): void => void Object.assign(now, { state: 'Running', began: 2, members: [member] });
  const talos = {
    services: () => Promise.resolve([service()]),
    etcdMembers: () => (now.members.length > 0 ? Promise.resolve(now.members) : Promise.reject(noAnswer)),
    bootstrap: async () => {
      answer(++requests, now, comeUp);
      await Promise.resolve();
    },
  };
  return { name, role: 'control-plane', addresses: [], talos: talos as unknown as Talos, requests: () => requests };
}

const once = (nodes: readonly Node[], chosen = 'cp-1') => bootstrapCarefully(nodes, chosen, patient, pace);

describe('bootstrap', () => {
  test('is asked for once, on the chosen node alone', async () => {
    const planes = [aPlane('cp-1'), aPlane('cp-2'), aPlane('cp-3')];
    expect(await once(planes, 'cp-2')).toEqual({ by: 'this-call' });
    expect(planes.map((plane) => plane.requests())).toEqual([0, 1, 0]);
    expect(await once(planes, 'cp-2')).toEqual({ by: 'earlier' });
    expect(planes.map((plane) => plane.requests())).toEqual([0, 1, 0]);
  });

  test('is not asked for when another control plane has an etcd', async () => {
    const planes = [aPlane('cp-1'), aPlane('cp-2', { members: [member] })];
    expect(await once(planes)).toEqual({ by: 'earlier' });
    expect(planes.map((plane) => plane.requests())).toEqual([0, 0]);
  });

  test('is not asked for while one control plane cannot be looked at', async () => {
    const chosen = aPlane('cp-1');
    const dark = aPlane('cp-2');
    dark.talos.services = () => Promise.reject(problem('talos-unreachable', 'retry'));
    expect(await told(once([chosen, dark]))).toEqual({
      code: 'talos-cannot-look',
      recovery: 'wait',
      message: 'Whether cp-2 already has an etcd is not known; nothing was bootstrapped.',
    });
    expect(chosen.requests()).toBe(0);
  });

  test('does not wait for nodes that are still in maintenance mode', async () => {
    const fresh = aPlane('cp-2');
    fresh.talos.services = () => Promise.reject(problem('talos-still-maintenance', 'wait'));
    expect(await once([aPlane('cp-1'), fresh])).toEqual({ by: 'this-call' });
  });

  test('does not wait for members of an etcd that still prepares itself a moment later', async () => {
    const waits = aPlane('cp-1');
    const services = (message: string) => async () =>
      (await aPlane('cp-1').talos.services(patient)).map((etcd) => ({
        ...etcd,
        events: [...etcd.events, { state: 'Preparing', message, at: new Date(1) }],
      }));
    let asked = 0;
    waits.talos.etcdMembers = () => {
      if (waits.requests() === 0) asked++;
      return Promise.resolve([member]);
    };
    waits.talos.services = services('Running pre state');
    expect([await once([waits]), asked]).toEqual([{ by: 'this-call' }, 0]);
    const begins = aPlane('cp-1', { members: [member] });
    let looks = 0;
    begins.talos.services = () => services(++looks === 1 ? 'Running pre state' : 'Creating service runner')();
    expect(await once([begins])).toEqual({ by: 'earlier' });
  });

  test('is asked for again when it came too early', async () => {
    const plane = aPlane('cp-1', {}, (nth, _, comeUp) => {
      if (nth < 3) throw problem('talos-not-ready', 'wait');
      comeUp();
    });
    expect(await once([plane])).toEqual({ by: 'this-call' });
    expect(plane.requests()).toBe(3);
  });

  test('is not asked for again when only the answer was lost', async () => {
    const plane = aPlane('cp-1', {}, (_, __, comeUp) => {
      comeUp();
      throw problem('talos-connection-lost', 'retry');
    });
    expect(await once([plane])).toEqual({ by: 'this-call' });
    expect(plane.requests()).toBe(1);
  });

  test('whose answer was lost shows itself by etcd beginning anew', async () => {
    const plane = aPlane('cp-1', {}, (_, now, comeUp) => {
      now.began = 2;
      setTimeout(comeUp, 100);
      throw problem('talos-connection-lost', 'retry');
    });
    expect(await once([plane])).toEqual({ by: 'this-call' });
    expect(plane.requests()).toBe(1);
  });

  test('is asked for again when the request itself was lost', async () => {
    const plane = aPlane('cp-1', {}, (nth, _, comeUp) => {
      if (nth === 1) throw problem('talos-connection-lost', 'retry');
      comeUp();
    });
    expect(await once([plane])).toEqual({ by: 'this-call' });
    expect(plane.requests()).toBe(2);
  });

  test('of somebody else on the chosen node is as good as ours', async () => {
    const plane = aPlane('cp-1', {}, (_, __, comeUp) => {
      comeUp();
      throw problem('talos-already-bootstrapped', 'ask');
    });
    expect(await once([plane])).toEqual({ by: 'earlier' });
  });

  test('that another run has asked for is only awaited', async () => {
    const plane = aPlane('cp-1', { state: 'Finished' });
    let looks = 0;
    plane.talos.etcdMembers = () => (++looks > 2 ? Promise.resolve([member]) : Promise.reject(noAnswer));
    expect(await once([plane])).toEqual({ by: 'earlier' });
    expect(plane.requests()).toBe(0);
  });

  test('that failed for want of a snapshot may be asked for again', async () => {
    const plane = aPlane('cp-1', { state: 'Failed' });
    expect(await once([plane])).toEqual({ by: 'this-call' });
  });

  test('after which etcd stands still is for a person', async () => {
    const plane = aPlane('cp-1', { state: 'Finished' });
    expect(await told(once([plane]))).toMatchObject({ code: 'talos-etcd-stopped', recovery: 'ask' });
    const refused = aPlane('cp-1', {}, () => {
      throw problem('talos-etcd-stopped', 'ask');
    });
    expect(await told(once([refused]))).toMatchObject({ code: 'talos-etcd-stopped', recovery: 'ask' });
    expect(refused.requests()).toBe(1);
  });

  test('of a node that is no control plane is refused; a signal ends it', async () => {
    const plane = aPlane('cp-1');
    expect((await told(once([plane], 'w-1'))).code).toBe('talos-no-such-node');
    const over = AbortSignal.abort(new Error('enough'));
    await expect(bootstrapCarefully([plane], 'cp-1', over, pace)).rejects.toThrow('enough');
    const never = aPlane('cp-1', {}, () => undefined);
    expect(await told(bootstrapCarefully([never], 'cp-1', patient, { ...pace, deadlineMs: 100 }))).toMatchObject({
      code: 'talos-no-answer',
      recovery: 'wait',
    });
  });
});

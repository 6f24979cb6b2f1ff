import { Problem } from '../../model/problem.ts';
import type { World } from '../../model/world.ts';
import type { Platform } from '../../spec/platform.ts';
import { lockedOut } from '../status.ts';
import { ok, skipped, unless, type Check } from './check.ts';
import { orProblem, type Speaking } from './machines.ts';

/** Members are the control planes, they agree on a leader, none complains. */
export async function etcdChecks(
  platform: Platform,
  world: World,
  speaking: readonly Speaking[],
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const wanted = platform.machines.filter(({ role }) => role === 'control-plane').map(({ name }) => name);
  const [first] = speaking.filter(({ role }) => role === 'control-plane');
  const look =
    first === undefined
      ? `No control plane answers; see what would be done about it:\n    ichor plan --only ${platform.name}`
      : `Look at its members:\n    ichor talos etcd members -n ${first.address}`;
  const same = 'The members of etcd are the control planes, and all vote.';
  const { etcd } = world;
  const locked = lockedOut(world);
  if (locked !== undefined) return [skipped('etcd', same, locked), ...(await agreement(speaking, signal))];
  if (etcd.kind === 'unknown') return [unless('etcd', same, [etcd.because], look)];
  const names = etcd.value.map(({ machine, hostname }) => machine ?? hostname);
  const against = [
    ...wanted.filter((name) => !names.includes(name)).map((name) => `${name} is no member`),
    ...names
      .filter((name) => !wanted.includes(name))
      .map((name) => `${name} is a member and no control plane of the file`),
    ...etcd.value.filter(({ learner }) => learner).map(({ hostname }) => `${hostname} only listens so far`),
  ];
  return [unless('etcd', same, against, look), ...(await agreement(speaking, signal))];
}

async function agreement(speaking: readonly Speaking[], signal: AbortSignal): Promise<readonly Check[]> {
  const planes = speaking.filter(({ role }) => role === 'control-plane');
  const what = 'All members agree on one leader and are healthy.';
  const [first] = planes;
  if (first === undefined) return [skipped('etcd', what, 'no control plane answers')];
  const [states, alarms] = await Promise.all([
    Promise.all(
      planes.map(async ({ name, talos }) => ({ name, status: await talos.etcdStatus(signal).catch(orProblem) })),
    ),
    first.talos.etcdAlarms(signal).catch(orProblem),
  ]);
  const leaders = new Set(states.flatMap(({ status }) => (status instanceof Problem ? [] : [status.leader])));
  const against = [
    ...states.flatMap(({ name, status }) =>
      status instanceof Problem ? [`${name}: ${status.message}`] : status.errors.map((error) => `${name}: ${error}`),
    ),
    ...(leaders.size > 1 ? ['they do not agree on a leader'] : []),
    ...(leaders.size === 1 && /^0*$/.test([...leaders][0] ?? '') ? ['there is no leader'] : []),
  ];
  return [
    unless('etcd', what, against, `Look at what each says:\n    ichor talos etcd status -n ${first.address}`),
    alarms instanceof Problem
      ? unless(
          'etcd',
          'No alarm is raised.',
          [alarms.message],
          `Ask again:\n    ichor talos etcd alarms list -n ${first.address}`,
        )
      : alarms.length === 0
        ? ok('etcd', 'No alarm is raised.')
        : unless(
            'etcd',
            'No alarm is raised.',
            alarms.map(({ memberId, alarm }) => `${memberId}: ${alarm}`),
            `A full database is made smaller, then the alarm is taken away:\n    ichor talos etcd defrag -n ${first.address}`,
          ),
  ];
}

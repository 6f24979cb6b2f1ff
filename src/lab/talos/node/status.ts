import type { Boot } from './boot.ts';

export type Stage =
  | 'unknown'
  | 'booting'
  | 'installing'
  | 'maintenance'
  | 'running'
  | 'rebooting'
  | 'shutting down'
  | 'resetting'
  | 'upgrading';

/** In the order of the wire’s numbers. */
export const stages: readonly Stage[] = [
  'unknown',
  'booting',
  'installing',
  'maintenance',
  'running',
  'rebooting',
  'shutting down',
  'resetting',
  'upgrading',
];

type Unmet = { readonly name: string; readonly reason: string };
export type MachineStatus = { readonly stage: Stage; readonly ready: boolean; readonly unmet: readonly Unmet[] };

/** Only a node that boots or runs is asked whether it is ready; any other one says that it is. */
export function machineStatus(boot: Boot): MachineStatus {
  const unmet = boot.stage === 'booting' || boot.stage === 'running' ? unmetConditions(boot) : [];
  return { stage: boot.stage, ready: unmet.length === 0, unmet };
}

function unmetConditions(boot: Boot): readonly Unmet[] {
  const checks: readonly (readonly [string, string])[] = [
    ['time', boot.timeSynced ? '' : 'time is not synced'],
    ['network', boot.networkOpen.length === 0 ? '' : `waiting on: ${boot.networkOpen.join(', ')}`],
    ['services', serviceProblems(boot).join(', ')],
    ['staticPods', boot.pods.flatMap(({ id, ready }) => (ready ? [] : [`${id} not ready`])).join(', ')],
    ['nodeReady', nodeProblem(boot)],
  ];
  return checks.flatMap(([name, reason]) => (reason === '' ? [] : [{ name, reason }]));
}

function serviceProblems({ services, settings }: Boot): readonly string[] {
  const unhealthy = services
    .all()
    .filter(({ state, health }) => state === 'Running' && !health.unknown && !health.healthy)
    .map(({ id }) => `${id} not healthy`);
  const required = ['apid', 'machined', 'kubelet', ...(settings?.type === 'controlplane' ? ['etcd', 'trustd'] : [])];
  return [...unhealthy, ...required.filter((id) => !services.isRunning(id)).map((id) => `${id} not running`)];
}

function nodeProblem({ nodename, node }: Boot): string {
  if (nodename === undefined || node === 'ready') return '';
  return node === 'absent' ? `node "${nodename}" status is not available yet` : `node "${nodename}" is not ready`;
}

import { runHelm } from '../helm/program.ts';
import { conditionOf } from './conditions.ts';
import { exitOf, isBroken } from './containers.ts';
import type { Controller } from './loop.ts';
import { accepted, ended, restarted, running, startedBefore, waiting } from './pod-status.ts';
import type { Pod } from './shapes.ts';
import { all, find, isLeaving, isOver, itself, keyOf, kubelet, writeStatus } from './tools.ts';
import type { Tools } from './tools.ts';
import { missingVolume } from './volumes.ts';

const networkNotReady =
  'network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';

/** Starts, runs and ends the pods of every node that is alive. */
export function pods(tools: Tools): Controller {
  const { api, kubelets } = tools;
  const stopping = new Set<string>();
  const waitingIn = (object: { readonly metadata: { readonly namespace?: string } }, old: unknown): readonly string[] =>
    old !== undefined
      ? []
      : all(api, '/pods', object.metadata.namespace)
          .filter(({ status, spec }) => status?.phase === 'Pending' && (spec.nodeName ?? '') !== '')
          .map(keyOf);
  return {
    name: 'kubelet',
    watches: {
      '/pods': (pod) => ((pod as unknown as Pod).spec.nodeName === undefined ? [] : itself(pod)),
      '/secrets': waitingIn,
      '/configmaps': waitingIn,
    },
    reconcile: (key) => {
      const pod = find(api, '/pods', key);
      if (pod === undefined) return undefined;
      const life = kubelets.life(pod.spec.nodeName ?? '');
      if (life === undefined) return undefined;
      if (isLeaving(pod)) return end(tools, pod, stopping);
      if (isOver(pod)) return undefined;
      if (pod.status?.startTime === undefined) tell(tools, pod, accepted(tools, pod));
      else if (pod.status.phase === 'Running' && startedBefore(pod, life.since)) tell(tools, pod, waiting(tools, pod));
      return advance(tools, find(api, '/pods', key) ?? pod);
    },
  };
}

const tell = ({ api }: Tools, pod: Pod, status: object): void => writeStatus(api, '/pods', pod, status, kubelet);

function advance(tools: Tools, pod: Pod): number | undefined {
  const { clock, durations, kubelets } = tools;
  const life = kubelets.life(pod.spec.nodeName ?? '');
  const now = clock.now();
  if (life === undefined) return undefined;
  if (
    pod.status?.containerStatuses?.every(
      ({ state }) => state.waiting === undefined || state.waiting.reason === 'CrashLoopBackOff',
    ) === true
  )
    return live(tools, pod);
  if (pod.spec.hostNetwork !== true && life.network === undefined) {
    say(tools, pod, 'Warning', 'NetworkNotReady', networkNotReady);
    return undefined;
  }
  const missing = missingVolume(tools.api, pod);
  if (missing !== undefined) {
    say(tools, pod, 'Warning', 'FailedMount', missing);
    return undefined;
  }
  const broken = pod.spec.containers.find(({ image }) => isBroken(image));
  if (broken !== undefined) return backOffPull(tools, pod, broken.name, broken.image ?? '');
  const since = Math.max(
    Date.parse(pod.status?.startTime ?? ''),
    Date.parse(conditionOf(pod.status?.conditions, 'Ready')?.lastTransitionTime ?? '') || 0,
    life.since.getTime(),
    pod.spec.hostNetwork === true ? 0 : (life.network?.getTime() ?? 0),
  );
  const left = since + durations.podStart - now.getTime();
  if (left > 0) return left;
  tell(tools, pod, running(tools, pod));
  tellStarted(tools, pod);
  return live(tools, find(tools.api, '/pods', keyOf(pod)) ?? pod);
}

/** Containers whose command ends do so in their time, and begin again where their policy says so. */
function live(tools: Tools, pod: Pod): number | undefined {
  const now = tools.clock.now().getTime();
  type Next = { readonly name: string; readonly at: number; readonly code: number | undefined };
  const next = (pod.status?.containerStatuses ?? []).flatMap((status): readonly Next[] => {
    const container = pod.spec.containers.find(({ name }) => name === status.name);
    const exit = container === undefined ? undefined : exitOf(pod, container, tools.durations.jobRun);
    if (exit === undefined) return [];
    if (status.state.running !== undefined)
      return [{ name: status.name, at: Date.parse(status.state.running.startedAt) + exit.afterMs, code: exit.code }];
    if (status.state.waiting?.reason !== 'CrashLoopBackOff') return [];
    const pause = Math.min(10_000 * 2 ** Math.max(0, status.restartCount), 300_000);
    return [
      { name: status.name, at: Date.parse(status.lastState.terminated?.finishedAt ?? '') + pause, code: undefined },
    ];
  });
  const due = next.find(({ at }) => at <= now);
  if (due === undefined) return next.length === 0 ? undefined : Math.min(...next.map(({ at }) => at)) - now;
  const after =
    due.code === undefined
      ? restarted(tools, pod, due.name)
      : ended(tools, pod, due.name, outcomeOf(tools, pod, due.name, due.code));
  tell(tools, pod, after.status);
  if (after.backOff)
    say(
      tools,
      pod,
      'Warning',
      'BackOff',
      `Back-off restarting failed container ${due.name} in pod ${pod.metadata.name}_${pod.metadata.namespace ?? ''}(${pod.metadata.uid})`,
      due.name,
    );
  const fresh = find(tools.api, '/pods', keyOf(pod));
  return fresh === undefined || isOver(fresh) ? undefined : live(tools, fresh);
}

/** A command that the lab knows does its work at the end of its time. */
function outcomeOf({ api, clock, output }: Tools, pod: Pod, name: string, code: number): number {
  const container = pod.spec.containers.find((each) => each.name === name);
  const done = container && runHelm(api, clock.now(), pod, container);
  if (done === undefined) return code;
  output.write(pod.metadata.uid, name, done.lines);
  return done.code;
}

function say(
  { record }: Tools,
  pod: Pod,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
  container?: string,
): void {
  record({
    about: pod,
    type,
    reason,
    message,
    from: 'kubelet',
    host: pod.spec.nodeName ?? '',
    ...(container === undefined ? {} : { field: `spec.containers{${container}}` }),
  });
}

function tellStarted(tools: Tools, pod: Pod): void {
  const inits = pod.spec.initContainers ?? [];
  for (const { name, image = '' } of [...inits, ...pod.spec.containers]) {
    const field = inits.some((each) => each.name === name) ? 'initContainers' : 'containers';
    const about = { about: pod, from: 'kubelet', host: pod.spec.nodeName ?? '', field: `spec.${field}{${name}}` };
    tools.record({
      ...about,
      reason: 'Pulled',
      message: `Container image "${image}" already present on machine and can be accessed by the pod`,
    });
    tools.record({ ...about, reason: 'Created', message: 'Container created' });
    tools.record({ ...about, reason: 'Started', message: 'Container started' });
  }
}

function backOffPull(tools: Tools, pod: Pod, name: string, image: string): undefined {
  const reason = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": no such host`;
  say(tools, pod, 'Normal', 'Pulling', `Pulling image "${image}"`, name);
  say(tools, pod, 'Warning', 'Failed', `Failed to pull image "${image}": ${reason}`, name);
  say(tools, pod, 'Warning', 'Failed', 'Error: ErrImagePull', name);
  const status = waiting(tools, pod);
  tell(tools, pod, {
    ...status,
    containerStatuses: status.containerStatuses?.map((each) =>
      each.name === name
        ? {
            ...each,
            state: {
              waiting: {
                reason: 'ImagePullBackOff',
                message: `Back-off pulling image "${image}": ErrImagePull: ${reason}`,
              },
            },
          }
        : each,
    ),
  });
}

function end(tools: Tools, pod: Pod, stopping: Set<string>): number | undefined {
  const { api, clock, durations } = tools;
  const { uid, namespace, name, deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = pod.metadata;
  if (!stopping.has(uid)) {
    stopping.add(uid);
    if (pod.status?.phase === 'Running')
      for (const container of pod.spec.containers)
        say(tools, pod, 'Normal', 'Killing', `Stopping container ${container.name}`, container.name);
  }
  const asked = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  const left = asked + Math.min(durations.podStop, deletionGracePeriodSeconds * 1000) - clock.now().getTime();
  if (left > 0 && pod.status?.phase === 'Running') return left;
  if ((pod.metadata.finalizers ?? []).length > 0 && !isOver(pod)) {
    tell(tools, pod, {
      ...pod.status,
      phase: 'Failed',
      conditions: pod.status?.conditions?.map((each) =>
        each.type === 'Ready' ? { ...each, status: 'False', reason: 'PodFailed' } : each,
      ),
    });
    return undefined;
  }
  stopping.delete(uid);
  if (!isOver(pod) || (pod.metadata.finalizers ?? []).length === 0)
    api.delete('/pods', namespace, name, { gracePeriodSeconds: 0, uid }, kubelet);
  return undefined;
}

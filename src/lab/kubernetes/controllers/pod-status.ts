import { createHash } from 'node:crypto';
import { withCondition } from './conditions.ts';
import { hexOf } from './names.ts';
import { addressFor } from './pod-address.ts';
import type { Condition, Container, ContainerState, ContainerStatus, Pod, PodStatus } from './shapes.ts';
import { timestamp } from './tools.ts';
import type { Tools } from './tools.ts';

type Told = PodStatus & { readonly containerStatuses?: readonly ContainerStatus[] };

const imageId = (image: string): string =>
  `${image.replace(/[:@][^/]*$/, '')}@sha256:${createHash('sha256').update(image).digest('hex')}`;

const isAside = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

function containerStatus(
  container: Container,
  before: ContainerStatus | undefined,
  next: Partial<ContainerStatus> & { readonly state: ContainerState },
): ContainerStatus {
  const image = container.image ?? '';
  return {
    name: container.name,
    lastState: before?.lastState ?? {},
    ready: false,
    started: false,
    restartCount: before?.restartCount ?? 0,
    image,
    imageID: next.state.waiting === undefined ? imageId(image) : (before?.imageID ?? ''),
    ...next,
  };
}

const statusOf = (statuses: readonly ContainerStatus[] | undefined, name: string): ContainerStatus | undefined =>
  statuses?.find((each) => each.name === name);

/** Conditions of a pod, in the order in which a kubelet tells them. */
function conditionsOf(
  pod: Pod,
  now: string,
  facts: {
    readonly sandbox: boolean;
    readonly initialized: boolean;
    readonly unready: readonly string[];
    readonly over?: boolean;
  },
): readonly Condition[] {
  const generation = pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation };
  const plain = { lastProbeTime: null, ...generation } as const;
  const inits = (pod.spec.initContainers ?? []).filter((each) => !isAside(each)).map(({ name }) => name);
  const unready: Partial<Condition> =
    facts.over === true
      ? { reason: 'PodCompleted' }
      : facts.unready.length > 0
        ? { reason: 'ContainersNotReady', message: `containers with unready status: [${facts.unready.join(' ')}]` }
        : {};
  const ready = facts.over !== true && facts.unready.length === 0 && facts.initialized ? 'True' : 'False';
  const list: readonly Condition[] = [
    { type: 'PodReadyToStartContainers', status: facts.sandbox ? 'True' : 'False', ...plain },
    facts.initialized
      ? { type: 'Initialized', status: 'True', ...plain, ...(facts.over === true ? { reason: 'PodCompleted' } : {}) }
      : {
          type: 'Initialized',
          status: 'False',
          ...plain,
          reason: 'ContainersNotInitialized',
          message: `containers with incomplete status: [${inits.join(' ')}]`,
        },
    { type: 'Ready', status: ready, ...plain, ...unready },
    { type: 'ContainersReady', status: ready, ...plain, ...unready },
    { type: 'PodScheduled', status: 'True', ...plain },
  ];
  return list.flatMap((next) =>
    withCondition(
      pod.status?.conditions?.filter(({ type }) => type === next.type),
      next,
      now,
    ),
  );
}

/** It is here, and nothing of it runs. */
export function accepted(tools: Tools, pod: Pod): Told {
  const now = timestamp(tools.clock.now());
  const host = tools.nodes().find(({ name }) => name === pod.spec.nodeName)?.address;
  return {
    ...waiting(tools, pod),
    ...(host === undefined ? {} : { hostIP: host, hostIPs: [{ ip: host }] }),
    startTime: now,
  };
}

/** Its containers are being made, for the first time or again. */
export function waiting(tools: Tools, pod: Pod): Told {
  const now = timestamp(tools.clock.now());
  const inits = (pod.spec.initContainers ?? []).filter((each) => !isAside(each));
  const reason = inits.length === 0 ? 'ContainerCreating' : 'PodInitializing';
  const status = (container: Container, before: ContainerStatus | undefined): ContainerStatus => {
    const gone = before?.state.running;
    const terminated = {
      exitCode: 255,
      reason: 'Unknown',
      startedAt: gone?.startedAt ?? now,
      finishedAt: now,
      containerID: before?.containerID ?? '',
    };
    return containerStatus(container, before, {
      state: { waiting: { reason } },
      ...(gone === undefined ? {} : { lastState: { terminated } }),
    });
  };
  const { podIP: _, podIPs: __, ...rest } = pod.status ?? {};
  const told = pod.spec.containers.map((each) => status(each, statusOf(pod.status?.containerStatuses, each.name)));
  const before = (pod.spec.initContainers ?? []).map((each) =>
    status(each, statusOf(pod.status?.initContainerStatuses, each.name)),
  );
  return {
    ...rest,
    phase: 'Pending',
    conditions: conditionsOf(pod, now, {
      sandbox: false,
      initialized: inits.length === 0,
      unready: pod.spec.containers.map(({ name }) => name),
    }),
    ...(before.length === 0 ? {} : { initContainerStatuses: before }),
    containerStatuses: told,
  };
}

const hasRun = (before: ContainerStatus | undefined): boolean => before?.lastState.terminated !== undefined;

export function running(tools: Tools, pod: Pod): Told {
  const { clock, random } = tools;
  const now = timestamp(clock.now());
  const id = (): string => `containerd://${hexOf(random, 64)}`;
  const ip = addressFor(tools, pod);
  const started = (container: Container, before: ContainerStatus | undefined): ContainerStatus =>
    containerStatus(container, before, {
      state: { running: { startedAt: now } },
      ready: true,
      started: true,
      restartCount: (before?.restartCount ?? 0) + (hasRun(before) ? 1 : 0),
      containerID: id(),
    });
  const initialized = (container: Container, before: ContainerStatus | undefined): ContainerStatus => {
    if (isAside(container)) return started(container, before);
    const containerID = id();
    const terminated = { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now, containerID };
    return containerStatus(container, before, { state: { terminated }, ready: true, containerID });
  };
  const inits = (pod.spec.initContainers ?? []).map((each) =>
    initialized(each, statusOf(pod.status?.initContainerStatuses, each.name)),
  );
  return {
    ...pod.status,
    phase: 'Running',
    conditions: conditionsOf(pod, now, { sandbox: true, initialized: true, unready: [] }),
    ...(ip === undefined ? {} : { podIP: ip, podIPs: [{ ip }] }),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits }),
    containerStatuses: pod.spec.containers.map((each) =>
      started(each, statusOf(pod.status?.containerStatuses, each.name)),
    ),
  };
}

/** Whether anything of it ran before the machine was switched on the last time. */
export const startedBefore = (pod: Pod, since: Date): boolean =>
  (pod.status?.containerStatuses ?? []).some(
    ({ state }) =>
      state.running !== undefined && Date.parse(state.running.startedAt) < Math.floor(since.getTime() / 1000) * 1000,
  );

function withContainer(tools: Tools, pod: Pod, name: string, next: (before: ContainerStatus) => ContainerStatus): Told {
  const containerStatuses = (pod.status?.containerStatuses ?? []).map((each) =>
    each.name === name ? next(each) : each,
  );
  const policy = pod.spec.restartPolicy ?? 'Always';
  const over = policy !== 'Always' && containerStatuses.every(({ state }) => state.terminated !== undefined);
  const failed = containerStatuses.some(({ state }) => (state.terminated?.exitCode ?? 0) !== 0);
  return {
    ...pod.status,
    phase: over ? (failed ? 'Failed' : 'Succeeded') : 'Running',
    conditions: conditionsOf(pod, timestamp(tools.clock.now()), {
      sandbox: !over,
      initialized: true,
      unready: containerStatuses.filter(({ ready }) => !ready).map((each) => each.name),
      over: over && !failed,
    }),
    containerStatuses,
  };
}

/** A container has ended, and waits to be begun again where its policy says so. */
export function ended(
  tools: Tools,
  pod: Pod,
  name: string,
  code: number,
): { readonly status: Told; readonly backOff: boolean } {
  const policy = pod.spec.restartPolicy ?? 'Always';
  const backOff = policy === 'Always' || (policy === 'OnFailure' && code !== 0);
  const status = withContainer(tools, pod, name, (before) => {
    const terminated = {
      exitCode: code,
      reason: code === 0 ? 'Completed' : 'Error',
      startedAt: before.state.running?.startedAt ?? '',
      finishedAt: timestamp(tools.clock.now()),
      containerID: before.containerID ?? '',
    };
    const message = `back-off 10s restarting failed container=${name} pod=${pod.metadata.name}_${pod.metadata.namespace ?? ''}(${pod.metadata.uid})`;
    return {
      ...before,
      ready: false,
      started: false,
      ...(backOff
        ? { state: { waiting: { reason: 'CrashLoopBackOff', message } }, lastState: { terminated } }
        : { state: { terminated } }),
    };
  });
  return { status, backOff };
}

export function restarted(tools: Tools, pod: Pod, name: string): { readonly status: Told; readonly backOff: boolean } {
  const status = withContainer(tools, pod, name, (before) => ({
    ...before,
    state: { running: { startedAt: timestamp(tools.clock.now()) } },
    ready: true,
    started: true,
    restartCount: before.restartCount + 1,
    containerID: `containerd://${hexOf(tools.random, 64)}`,
  }));
  return { status, backOff: false };
}

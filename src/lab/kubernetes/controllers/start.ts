import type { LabClock } from '../../clock.ts';
import type { Api } from '../api.ts';
import { randomSource } from '../random.ts';
import type { KubernetesDurations, KubernetesOptions, TwinNode } from '../twin.ts';
import { bootstrap, keepMirrors } from '../bootstrap/bootstrap.ts';
import { clusterOf } from '../bootstrap/cluster.ts';
import { publishApi } from '../bootstrap/kubernetes-service.ts';
import { budgets } from './budget.ts';
import { ciliumOperator } from './cilium-operator.ts';
import { conditionOf } from './conditions.ts';
import type { ContainerOutput } from './container-output.ts';
import { cronJobs } from './cronjob.ts';
import { daemonSets } from './daemonset.ts';
import { deployments } from './deployment.ts';
import { usualDurations } from './durations.ts';
import { endpoints } from './endpoints.ts';
import { createRecorder } from './events.ts';
import { garbage } from './garbage.ts';
import { jobs } from './job.ts';
import { pods } from './kubelet.ts';
import { Kubelets } from './kubelets.ts';
import { Loop } from './loop.ts';
import { namespaces } from './namespace.ts';
import { nodes as nodeController } from './node.ts';
import { PodIndex } from './pod-index.ts';
import { quotas } from './quota.ts';
import { replicaSets } from './replicaset.ts';
import { scheduling } from './scheduler.ts';
import { serviceAccounts } from './service-account.ts';
import { statefulSets } from './statefulset.ts';
import type { Tools } from './tools.ts';
import { find } from './tools.ts';
import { volumes } from './volume.ts';

export type ControllersOptions = {
  readonly api: Api;
  readonly clock: LabClock;
  readonly durations?: Partial<KubernetesDurations> | undefined;
  readonly nodes: () => readonly TwinNode[];
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly options: KubernetesOptions;
  readonly output: ContainerOutput;
};

/** Everything that makes a cluster more than a store. Ends with the signal. */
export function startControllers({ api, clock, durations, nodes, seed, signal, options, output }: ControllersOptions): {
  nodesChanged(): void;
  isReady(node: string): boolean;
} {
  const { chance } = randomSource(seed);
  const recorder = createRecorder({ api, clock });
  const tools: Tools = {
    api,
    clock,
    durations: { ...usualDurations, ...durations },
    options,
    nodes,
    random: chance,
    pods: new PodIndex(api, signal),
    kubelets: new Kubelets(),
    look: (controller, key) => loop.look(controller, key),
    record: recorder.record,
    output,
  };
  const controllers = [
    namespaces(tools),
    serviceAccounts(tools),
    garbage(tools),
    nodeController(tools, keepMirrors(tools)),
    deployments(tools),
    replicaSets(tools),
    statefulSets(tools),
    daemonSets(tools),
    jobs(tools),
    cronJobs(tools),
    volumes(tools),
    scheduling(tools),
    pods(tools),
    endpoints(tools),
    budgets(tools),
    quotas(tools),
    ciliumOperator(tools),
    recorder.controller,
  ];
  const loop = new Loop(controllers, { api, clock, signal });
  loop.lookAtEverything();
  let governed = false;
  let founded = false;
  return {
    nodesChanged: () => {
      const alive = nodes().some(({ alive: up, controlPlane }) => up && controlPlane);
      governed ||= alive;
      if (alive && !founded) bootstrap(tools);
      founded ||= alive;
      // Without a control plane nobody does anything, and nobody hears of it.
      loop.hold(governed && !alive);
      if (alive) publishApi(api, clusterOf(options), nodes());
      const known = new Set([
        ...nodes().map(({ name }) => name),
        ...api.list('/nodes').map(({ metadata }) => metadata.name ?? ''),
      ]);
      for (const name of known) loop.look('node', name);
    },
    isReady: (name) =>
      tools.kubelets.life(name) !== undefined &&
      conditionOf(find(api, '/nodes', name)?.status?.conditions, 'Ready')?.status === 'True',
  };
}

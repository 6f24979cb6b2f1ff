import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { isTree, text, type Tree, tree, trees } from '../kinds/tree.ts';
import type { Column } from '../resource.ts';
import {
  ageColumn,
  column,
  condition,
  count,
  duration,
  nameColumn,
  nothing,
  orNothing,
  specOf,
  statusOf,
  wide,
} from './cells.ts';

export const podColumns: readonly Column[] = [
  nameColumn,
  column('Ready', (pod) => readiness(pod).ready),
  column('Status', (pod) => readiness(pod).status),
  column('Restarts', (pod, now) => {
    const { restarts, lastRestart } = readiness(pod);
    return restarts !== 0 && lastRestart > 0
      ? `${restarts} (${duration(now.getTime() - lastRestart)} ago)`
      : String(restarts);
  }),
  ageColumn,
  wide('IP', (pod) => text(trees(statusOf(pod)['podIPs'])[0]?.['ip']) || orNothing(text(statusOf(pod)['podIP']))),
  wide('Node', (pod) => orNothing(text(specOf(pod)['nodeName']))),
  wide('Nominated Node', (pod) => orNothing(text(statusOf(pod)['nominatedNodeName']))),
  wide('Readiness Gates', (pod) => {
    const gates = trees(specOf(pod)['readinessGates']);
    const open = gates.filter(({ conditionType }) => condition(pod, text(conditionType))?.['status'] === 'True');
    return gates.length === 0 ? nothing : `${open.length}/${gates.length}`;
  }),
];

type Readiness = {
  readonly ready: string;
  readonly status: string;
  readonly restarts: number;
  readonly lastRestart: number;
};

/** What a pod does now, in one word: the most telling that any of its containers has to say. */
function readiness(pod: KubeObject): Readiness {
  const status = statusOf(pod);
  const init = initial(pod);
  const isInitialized = condition(pod, 'Initialized')?.['status'] === 'True';
  const isGated = condition(pod, 'PodScheduled')?.['reason'] === 'SchedulingGated';
  const phase = isGated ? 'SchedulingGated' : text(status['reason']) || text(status['phase']);
  const main = init.word === undefined || isInitialized ? running(pod, phase) : undefined;
  const helpers = trees(specOf(pod)['initContainers']).filter(isHelper).length;
  const total = trees(specOf(pod)['containers']).length + helpers;
  return {
    ready: `${(main?.ready ?? 0) + init.ready}/${total}`,
    status: ending(pod) ?? main?.word ?? init.word ?? phase,
    restarts: main === undefined ? init.restarts : main.restarts + init.helperRestarts,
    lastRestart: main === undefined ? init.lastRestart : Math.max(main.lastRestart, init.helperLastRestart),
  };
}

function ending(pod: KubeObject): string | undefined {
  if (pod.metadata.deletionTimestamp === undefined) return undefined;
  if (statusOf(pod)['reason'] === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(text(statusOf(pod)['phase'])) ? undefined : 'Terminating';
}

/** An init container that stays beside the others. */
const isHelper = ({ restartPolicy }: Tree): boolean => restartPolicy === 'Always';

const restartedAt = ({ lastState }: Tree): number => {
  const { terminated } = tree(lastState);
  return isTree(terminated) ? Date.parse(text(terminated['finishedAt'])) || 0 : 0;
};

function initial(pod: KubeObject) {
  const containers = trees(specOf(pod)['initContainers']);
  const statuses = trees(statusOf(pod)['initContainerStatuses']);
  let [ready, restarts, helperRestarts, lastRestart, helperLastRestart] = [0, 0, 0, 0, 0];
  for (const [at, each] of statuses.entries()) {
    const isBeside = containers.some((container) => container['name'] === each['name'] && isHelper(container));
    restarts += count(each['restartCount']);
    lastRestart = Math.max(lastRestart, restartedAt(each));
    if (isBeside) {
      helperRestarts += count(each['restartCount']);
      helperLastRestart = Math.max(helperLastRestart, restartedAt(each));
    }
    const { terminated, waiting } = tree(each['state']);
    if (isTree(terminated) && terminated['exitCode'] === 0) continue;
    if (isBeside && each['started'] === true) {
      if (each['ready'] === true) ready++;
      continue;
    }
    const reason = text(tree(waiting)['reason']);
    const word = isTree(terminated)
      ? `Init:${outcome(terminated)}`
      : reason !== '' && reason !== 'PodInitializing'
        ? `Init:${reason}`
        : `Init:${at}/${containers.length}`;
    return { word, ready, restarts, helperRestarts, lastRestart, helperLastRestart };
  }
  return { word: undefined, ready, restarts, helperRestarts, lastRestart, helperLastRestart };
}

const outcome = (terminated: Tree): string => {
  const [reason, signal] = [text(terminated['reason']), count(terminated['signal'])];
  return reason !== '' ? reason : signal !== 0 ? `Signal:${signal}` : `ExitCode:${count(terminated['exitCode'])}`;
};

function running(pod: KubeObject, phase: string) {
  let [word, ready, restarts, lastRestart, isRunning] = [phase, 0, 0, 0, false];
  for (const each of trees(statusOf(pod)['containerStatuses']).toReversed()) {
    restarts += count(each['restartCount']);
    lastRestart = Math.max(lastRestart, restartedAt(each));
    const { waiting, terminated, running: runs } = tree(each['state']);
    const reason = text(tree(waiting)['reason']);
    if (reason !== '') word = reason;
    else if (isTree(terminated)) word = outcome(terminated);
    else if (each['ready'] === true && isTree(runs)) {
      isRunning = true;
      ready++;
    }
  }
  if (word === 'Completed' && isRunning) word = condition(pod, 'Ready')?.['status'] === 'True' ? 'Running' : 'NotReady';
  return { word, ready, restarts, lastRestart };
}

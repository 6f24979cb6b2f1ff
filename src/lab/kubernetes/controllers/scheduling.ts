import { mayGoTo, untolerated } from './placement.ts';
import { amountOf } from './quantity.ts';
import { matches } from './selectors.ts';
import type { Container, Node, Pod, PodAffinityTerm } from './shapes.ts';
import { all, controllerOf, isOver } from './tools.ts';
import type { Tools } from './tools.ts';

/** Why a pod cannot go to a node; `final`: nobody could make room. */
export type Obstacle = { readonly reasons: readonly string[]; readonly final: boolean };

const finally_ = (reason: string): Obstacle => ({ reasons: [reason], final: true });

/** What keeps a pod from a node, looked at in the order of the real scheduler. */
export function obstacle(tools: Tools, pod: Pod, node: Node, nodes: readonly Node[]): Obstacle | undefined {
  const { spec } = pod;
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  if (
    node.spec.unschedulable === true &&
    untolerated({ ...node, spec: { taints: [cordon] } }, spec.tolerations) !== undefined
  )
    return finally_('node(s) were unschedulable');
  if (untolerated(node, spec.tolerations) !== undefined) return finally_('node(s) had untolerated taint(s)');
  if (!mayGoTo(node, spec)) return finally_("node(s) didn't match Pod's node affinity/selector");
  const there = tools.pods.on(node.metadata.name).filter((each) => !isOver(each));
  if (portsTaken(pod, there))
    return { reasons: ["node(s) didn't have free ports for the requested pod ports"], final: false };
  const short = shortages(pod, node, there);
  if (short !== undefined) return short;
  return apartness(tools, pod, node, nodes);
}

const hostPorts = ({ spec }: Pod): readonly string[] =>
  spec.containers.flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, containerPort, protocol = 'TCP' }) => {
      const port = hostPort ?? (spec.hostNetwork === true ? containerPort : 0);
      return port === 0 ? [] : [`${protocol}/${port}`];
    }),
  );

function portsTaken(pod: Pod, there: readonly Pod[]): boolean {
  const wanted = hostPorts(pod);
  return wanted.length > 0 && there.some((each) => hostPorts(each).some((port) => wanted.includes(port)));
}

/** What a pod asks for: containers together, or its greediest init container. */
function requestOf({ spec }: Pod, resource: string): number {
  const of = ({ resources }: Container): number => amountOf(resources?.requests?.[resource]);
  const aside = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const running = [...spec.containers, ...aside].reduce((sum, container) => sum + of(container), 0);
  return Math.max(running, ...(spec.initContainers ?? []).map(of));
}

function shortages(pod: Pod, node: Node, there: readonly Pod[]): Obstacle | undefined {
  const allocatable = node.status?.allocatable ?? {};
  const reasons: string[] = [];
  let final = false;
  if (there.length + 1 > amountOf(allocatable['pods'] ?? '110')) reasons.push('Too many pods');
  const resources = new Set([
    'cpu',
    'memory',
    ...pod.spec.containers.flatMap(({ resources: own }) => Object.keys(own?.requests ?? {})),
  ]);
  for (const resource of resources) {
    const wanted = requestOf(pod, resource);
    if (wanted === 0) continue;
    const most = amountOf(allocatable[resource]);
    const used = there.reduce((sum, each) => sum + requestOf(each, resource), 0);
    if (wanted > most - used + 1e-9) reasons.push(`Insufficient ${resource}`);
    if (wanted > most) final = true;
  }
  return reasons.length === 0 ? undefined : { reasons, final };
}

/** Pods that want to be together, and those that do not. */
function apartness(tools: Tools, pod: Pod, node: Node, nodes: readonly Node[]): Obstacle | undefined {
  const together = pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const apart = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const others = all(tools.api, '/pods').filter((each) => (each.spec.nodeName ?? '') !== '' && !isOver(each));
  const placeOf = (name: string | undefined, key: string): string | undefined =>
    nodes.find(({ metadata }) => metadata.name === name)?.metadata.labels?.[key];
  const near = (term: PodAffinityTerm, owner: Pod, target: Pod): boolean =>
    (term.namespaces ?? [owner.metadata.namespace ?? '']).includes(target.metadata.namespace ?? '') &&
    matches(term.labelSelector, target.metadata.labels);
  const sharing = (term: PodAffinityTerm, other: Pod): boolean => {
    const place = node.metadata.labels?.[term.topologyKey];
    return place !== undefined && placeOf(other.spec.nodeName, term.topologyKey) === place;
  };
  for (const term of together) {
    const partners = others.filter((other) => near(term, pod, other));
    const alone =
      partners.length === 0 && near(term, pod, pod) && node.metadata.labels?.[term.topologyKey] !== undefined;
    if (!alone && !partners.some((other) => sharing(term, other)))
      return finally_("node(s) didn't match pod affinity rules");
  }
  if (apart.some((term) => others.some((other) => near(term, pod, other) && sharing(term, other))))
    return { reasons: ["node(s) didn't match pod anti-affinity rules"], final: false };
  const unwelcome = others.some((other) =>
    (other.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).some(
      (term) => near(term, other, pod) && sharing(term, other),
    ),
  );
  return unwelcome
    ? { reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"], final: false }
    : undefined;
}

/** The emptiest first: fewest of the same owner, then fewest pods. */
export function candidates(tools: Tools, pod: Pod, nodes: readonly Node[]): readonly Node[] {
  const owner = controllerOf(pod)?.uid;
  const load = new Map(
    nodes.map((node) => {
      const there = tools.pods.on(node.metadata.name).filter((each) => !isOver(each));
      const siblings = there.filter((each) => owner !== undefined && controllerOf(each)?.uid === owner).length;
      return [node, siblings * 1000 + there.length] as const;
    }),
  );
  return nodes.toSorted(
    (one, other) => (load.get(one) ?? 0) - (load.get(other) ?? 0) || (one.metadata.name < other.metadata.name ? -1 : 1),
  );
}

import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { invalid } from '../refusal.ts';
import type { ServerSide, StrategyContext } from '../resource.ts';
import { invalidValue } from './errors.ts';
import { text, texts, type Tree, tree, trees, within } from './tree.ts';

const nodePorts = { first: 30_000, last: 32_767 };
export const usualRange = '10.96.0.0/12';

/** Addresses and ports that the server gives to a service, or lets it have. */
export function allocate(service: Mutable, context: StrategyContext, old?: KubeObject): void {
  const spec = within(service, 'spec');
  const { server } = context;
  const refuse = (field: string, value: unknown, because: string): Error =>
    invalid({ group: '', kind: 'Service' }, (service['metadata'] as KubeObject['metadata']).name ?? '', [
      invalidValue(field, value, because),
    ]);
  const uid = old?.metadata.uid;
  const others = server.list('/services').filter((each) => each.metadata.uid !== uid);
  if (spec['type'] !== 'ExternalName') allocateAddress(spec, server, others, tree(old?.['spec']), refuse);
  allocatePorts(spec, server, others, refuse);
}

type Refuse = (field: string, value: unknown, because: string) => Error;

function allocateAddress(
  spec: Tree,
  server: ServerSide,
  others: readonly KubeObject[],
  old: Tree,
  refuse: Refuse,
): void {
  const wanted = text(spec['clusterIP']);
  if (wanted === 'None' || wanted.includes(':') || (wanted !== '' && wanted === old['clusterIP'])) return;
  const range = rangeOf(server);
  const taken = new Set(others.flatMap((each) => texts(tree(each['spec'])['clusterIPs'])));
  if (wanted !== '') {
    const at = numberOf(wanted);
    if (at === undefined) return;
    const isInside = at > range.first && at < range.first + range.size - 1;
    const failed = `failed to allocate IP ${wanted}: `;
    if (!isInside) {
      throw refuse(
        'spec.clusterIPs',
        [wanted],
        `${failed}the provided IP (${wanted}) is not in the valid range. The range of valid IPs is ${range.text}`,
      );
    }
    if (taken.has(wanted)) throw refuse('spec.clusterIPs', [wanted], `${failed}provided IP is already allocated`);
    return;
  }
  // The lower end of a range is left to those that ask for an address of their own.
  const reserved = Math.min(256, Math.max(16, Math.floor(range.size / 16)));
  const free = range.size - reserved - 1;
  for (let at = chance(server, free), tries = 0; tries < free; at = (at + 1) % free, tries++) {
    const address = addressOf(range.first + reserved + at);
    if (taken.has(address)) continue;
    spec['clusterIP'] = address;
    spec['clusterIPs'] = [address];
    return;
  }
  throw refuse('spec.clusterIPs', [], 'failed to allocate a serviceIP: range is full');
}

function allocatePorts(spec: Tree, server: ServerSide, others: readonly KubeObject[], refuse: Refuse): void {
  const isOpen =
    spec['type'] === 'NodePort' || (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
  const ports = trees(spec['ports']);
  const taken = new Set(others.flatMap((each) => trees(tree(each['spec'])['ports']).map(({ nodePort }) => nodePort)));
  for (const [at, port] of ports.entries()) {
    const wanted = Number(port['nodePort'] ?? 0);
    const field = `spec.ports[${at}].nodePort`;
    if (wanted !== 0) {
      if (!isOpen) continue;
      if (wanted < nodePorts.first || wanted > nodePorts.last) {
        throw refuse(
          field,
          wanted,
          `provided port is not in the valid range. The range of valid ports is ${nodePorts.first}-${nodePorts.last}`,
        );
      }
      if (taken.has(wanted)) throw refuse(field, wanted, 'provided port is already allocated');
      taken.add(wanted);
    } else if (isOpen) {
      const size = nodePorts.last - nodePorts.first + 1;
      let chosen = nodePorts.first + chance(server, size);
      while (taken.has(chosen)) chosen = chosen === nodePorts.last ? nodePorts.first : chosen + 1;
      taken.add(chosen);
      port['nodePort'] = chosen;
    }
  }
}

const chance = (server: ServerSide, below: number): number =>
  server.random(4).reduce((sum, byte) => sum * 256 + byte, 0) % below;

type Range = { readonly first: number; readonly size: number; readonly text: string };

/** As the ServiceCIDR of the cluster says. */
function rangeOf(server: ServerSide): Range {
  const [first] = server.list('networking.k8s.io/servicecidrs');
  const range = texts(tree(first?.['spec'])['cidrs'])[0] ?? usualRange;
  const [base = '', bits = '0'] = range.split('/');
  return { first: numberOf(base) ?? 0, size: 2 ** (32 - Number(bits)), text: range };
}

function numberOf(address: string): number | undefined {
  const parts = address.split('.').map(Number);
  return parts.length === 4 && parts.every((part) => part >= 0 && part <= 255)
    ? parts.reduce((sum, part) => sum * 256 + part, 0)
    : undefined;
}

const addressOf = (number: number): string => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');

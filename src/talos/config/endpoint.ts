import { parseAddress } from '../../model/ip.ts';
import { Problem } from '../../model/problem.ts';
import type { ClusterIntent } from './intent.ts';
import { addressOf, type ConfigRequest } from './request.ts';

/** Where the API server of every control plane listens, when nothing else is said. */
export const apiServerPort = 6443;

/** Where the Kubernetes API is reached: the VIP, the given host, or the first control plane. */
export function endpointOf(request: ConfigRequest): ClusterIntent['endpoint'] {
  const { port } = request.platform.cluster.endpoint;
  const { host, because } = hostOf(request);
  const inUrl = parseAddress(host)?.family === 6 ? `[${host}]` : host;
  return { url: `https://${inUrl}:${port}`, host, because };
}

function hostOf(request: ConfigRequest): { readonly host: string; readonly because: string } {
  const { platform, endpointHost } = request;
  const { vip, host } = platform.cluster.endpoint;
  if (vip !== undefined) return { host: vip, because: 'cluster.endpoint.vip' };
  if (host !== undefined) return { host, because: 'cluster.endpoint.host' };
  if (endpointHost !== undefined)
    return { host: endpointHost, because: 'the load balancer in front of the control planes' };
  const first = platform.machines.find(({ role }) => role === 'control-plane');
  const address = first && addressOf(request, first);
  if (first !== undefined && address !== undefined) return { host: address, because: `the address of ${first.name}` };
  throw new Problem('endpoint-unknown', 'Nobody knows yet where the Kubernetes API will be reached.', {
    path: 'cluster.endpoint',
    remedy: `Give the control planes a virtual address (cluster.endpoint.vip), name your load balancer (cluster.endpoint.host), or fix the address of the first one: cluster.nodes.${first?.name ?? 'cp-0'}.address.`,
  });
}

/** A load balancer may listen elsewhere; a VIP and a node's own address reach the API server itself. */
export const localApiPort = ({ platform }: Pick<ConfigRequest, 'platform'>): number => {
  const { host, port } = platform.cluster.endpoint;
  return host === undefined ? port : apiServerPort;
};

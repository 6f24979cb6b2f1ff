import type { Clock } from '../model/clock.ts';
import { mergeKubeconfig } from '../talos/kubeconfig/merge.ts';
import { newKubeconfig } from '../talos/kubeconfig/new.ts';
import { readKubeconfig } from '../talos/kubeconfig/read.ts';
import { needsRenewal } from '../talos/pki/life.ts';
import { fromBase64 } from '../talos/pki/pem.ts';
import { kubernetesEndpoint, type ConfigsRequest } from './talos-configs.ts';
import type { Making, Present } from './talos-identity.ts';

/** The kubeconfig of a platform from its secrets alone; no node is asked. */
export const issueKubeconfig = (given: ConfigsRequest, { clock, entropy }: Making): Promise<string> =>
  newKubeconfig(
    { bundle: given.bundle, cluster: given.platform.cluster.name, endpoint: kubernetesEndpoint(given) },
    entropy,
    clock,
  );

export type Placed = {
  readonly text: string;
  readonly context: string;
  /** Whether the file must be written. */
  readonly changed: boolean;
};

/** Puts a kubeconfig into a file that may have others; what is there and still good for long stays. */
export function placeKubeconfig(present: Present | undefined, added: string, clock: Clock): Placed {
  const context = readKubeconfig(added, 'kubeconfig').currentContext;
  if (present === undefined) return { text: added, context, changed: true };
  if (isGood(present, added, clock)) return { text: present.text, context, changed: false };
  return { ...mergeKubeconfig(present, added), changed: true };
}

/** Same cluster, same address, and a certificate with more than a third of its life left. */
function isGood(present: Present, added: string, clock: Clock): boolean {
  const [before, after] = [currentOf(present.text, present.file), currentOf(added, 'kubeconfig')];
  if (before === undefined || after === undefined) return false;
  const same = ['name', 'server', 'authority'] as const;
  return same.every((key) => before[key] === after[key]) && !needsRenewal(before.crt, clock.now());
}

type Current = { readonly name: string; readonly server: unknown; readonly authority: unknown; readonly crt: string };

function currentOf(text: string, file: string): Current | undefined {
  const { currentContext, contexts, clusters, users } = readKubeconfig(text, file);
  const context = contexts.find(({ name }) => name === currentContext)?.context;
  const cluster = clusters.find(({ name }) => name === context?.['cluster'])?.cluster;
  const crt = users.find(({ name }) => name === context?.['user'])?.user?.['client-certificate-data'];
  if (cluster === undefined || typeof crt !== 'string') return undefined;
  return {
    name: currentContext,
    server: cluster['server'],
    authority: cluster['certificate-authority-data'],
    crt: fromBase64(crt) ?? '',
  };
}

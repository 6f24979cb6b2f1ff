import type { NetworkEvent } from '../../engine/cni.ts';

/** What happens to a network, one line each; undefined: not worth one. */
export function networkLine(event: NetworkEvent): string | undefined {
  switch (event.kind) {
    case 'waits':
      return `waits for ${event.for}: ${event.because}`;
    case 'standing':
      return event.standing.kind === 'differs' ? `differs: ${event.standing.reasons.join('; ')}` : undefined;
    case 'installing':
      return `installing ${event.release} ${event.version} with ${event.with === 'helm' ? 'helm' : 'a Job in the cluster'}`;
    case 'made':
      return `made ${event.object}`;
    case 'applied':
      return event.outcome === 'unchanged' ? undefined : `${event.outcome} ${event.object}`;
    case 'pruned':
      return event.kept === undefined ? `took ${event.object} away` : `kept ${event.object}: ${event.kept}`;
    case 'stage':
    case 'ready':
      return undefined;
  }
}

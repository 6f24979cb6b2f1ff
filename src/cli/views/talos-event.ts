import type { TalosEvent } from '../../clients/talos.ts';
import type { Terminal } from '../terminal.ts';

/** One line per event: node, what it is about, and what happened. */
export function eventText(node: string, event: TalosEvent, { paint }: Terminal): string {
  const [about, what] = words(event);
  return [node, paint('bold', about), what, ...(event.actor === '' ? [] : [paint('dim', event.actor)])]
    .join('  ')
    .trimEnd();
}

function words(event: TalosEvent): readonly [about: string, what: string] {
  switch (event.kind) {
    case 'sequence':
      return [`sequence ${event.sequence}`, event.error === undefined ? event.action : `failed: ${event.error}`];
    case 'phase':
      return [`phase ${event.phase}`, event.action];
    case 'task':
      return [`task ${event.task}`, event.action];
    case 'service':
      return [
        `service ${event.service}`,
        [event.state, event.health, event.message].filter((word) => word !== '').join(', '),
      ];
    case 'status': {
      const { stage, ready, unmet } = event.status;
      const missing = unmet.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
      return ['machine', `${stage}, ${ready ? 'ready' : 'not ready'}${missing === '' ? '' : ` (${missing})`}`];
    }
    case 'address':
      return [`address of ${event.hostname}`, event.addresses.join(' ')];
    case 'restart':
      return ['restart', ''];
    case 'config-error':
      return ['configuration', event.error];
    case 'other':
      return [event.type, ''];
  }
}

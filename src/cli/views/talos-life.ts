import type { UpgradeProgress } from '../../clients/talos.ts';
import type { LifeEvent } from '../../engine/talos-life.ts';
import { bytes } from './talos-words.ts';

/** One line of JSON per event. */
export const lifeJson = (event: LifeEvent): string =>
  JSON.stringify(event, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));

export function lifeText(event: Exclude<LifeEvent, { kind: 'waiting' | 'done' }>): string {
  switch (event.kind) {
    case 'asked':
      return `${event.node}: asked for ${event.for}`;
    case 'progress':
      return `${event.node}: ${progressText(event.progress)}`;
  }
}

function progressText(progress: UpgradeProgress): string {
  switch (progress.kind) {
    case 'pulling':
      return `pulling ${progress.layer}: ${bytes(progress.done)} of ${bytes(progress.total)}`;
    case 'pulled':
      return `pulled ${progress.image}`;
    case 'message':
      return progress.text.trimEnd();
    case 'installed':
      return 'installed; the next boot runs it';
    case 'accepted':
      return 'accepted; the node goes on by itself';
  }
}

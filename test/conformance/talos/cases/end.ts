import { expect } from 'vitest';
import type { Case } from '../case.ts';

type Event = {
  readonly actorId?: string;
  readonly data: { readonly '@type'?: string; readonly [key: string]: string | undefined };
};

export const endCases: readonly Case[] = [
  {
    stage: 'end',
    name: 'reset: the worker says who resets it, and whoever listens hears it from the beginning, until apid ends',
    run: async ({ call }) => {
      let onFirst = (): void => {};
      const heardOne = new Promise<void>((resolve) => (onFirst = resolve));
      const listening = call('worker', 'Events', { tailEvents: 1 }, { waitMs: 30_000, onFirst });
      await heardOne;
      const { code, messages } = await call('worker', 'Reset', { graceful: false, reboot: false });
      const [{ actorId }] = (messages[0] as { messages: [{ actorId: string }] }).messages;
      const heard = await listening;
      const told = (heard.messages as unknown as Event[]).filter(({ actorId: actor }) => actor === actorId);
      const words = told.map(
        ({ data }) => `${String(data['@type']).split('.').pop()} ${data['sequence'] ?? data['phase'] ?? data['task']}`,
      );
      expect({ code, actor: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(actorId), end: heard.code }).toEqual({
        code: 'OK',
        actor: true,
        end: 'OK',
      });
      // apid is stopped by what it tells: the last words may be lost, and on a busy machine all of them.
      const story = ['SequenceEvent reset', 'PhaseEvent stopEverything', 'TaskEvent stopAllServices'];
      expect(words).toEqual(story.slice(0, words.length));
    },
  },
];

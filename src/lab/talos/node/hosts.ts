import type { Boot } from './boot.ts';
import type { Machine } from './machine.ts';

/** What a node’s certificates name: itself, what the configuration adds, and its addresses. */
export const hostsOf = (machine: Machine, boot: Boot): readonly string[] => [
  ...new Set([
    boot.hostname ?? '',
    ...(boot.settings?.certSans ?? []),
    ...machine.ownAddresses(),
    ...machine.heldVips,
    '127.0.0.1',
  ]),
];

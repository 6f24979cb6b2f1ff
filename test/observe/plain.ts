import type { Terminal } from '../../src/cli/terminal.ts';

/** A terminal without colours that nobody reads. */
export const plain: Terminal = {
  out: () => undefined,
  err: () => undefined,
  paint: (_, text) => text,
  columns: 120,
  interactive: false,
};

import type { ShownChange } from '../../engine/talos-changes.ts';

/** One line per change: `machine.time.disabled: false → true (reboot)`. */
export const changeLines = (changes: readonly ShownChange[]): readonly string[] =>
  changes.map(({ path, before, after, reboot }) => {
    const what =
      before === undefined ? `${after}, new` : after === undefined ? `${before}, gone` : `${before} → ${after}`;
    return `${path}: ${what.replaceAll('\n', ' ')}${reboot ? ' (reboots)' : ''}`;
  });

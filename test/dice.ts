/** A number below `sides`; the same ones again for the same seed. */
export type Dice = (sides: number) => number;

export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

export const pick = <T>(dice: Dice, from: readonly T[]): T => {
  const found = from[dice(from.length)];
  if (found === undefined) throw new Error('There is nothing to pick from.');
  return found;
};

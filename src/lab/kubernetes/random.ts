/** Chance that is the same for the same seed. */
export function randomSource(seed: number): {
  readonly chance: () => number;
  readonly bytes: (count: number) => Uint8Array;
} {
  let state = seed >>> 0;
  const chance = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { chance, bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(chance() * 256)) };
}

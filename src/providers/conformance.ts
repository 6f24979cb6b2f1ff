import { identity } from './conformance-identity.ts';
import { life } from './conformance-life.ts';
import { lostAnswers } from './conformance-losses.ts';
import type { Case } from './conformance-world.ts';

/**
 * What every provider promises, whatever is behind it. A test file gives each case a world of its own: the twin in the lab, or
 * the real thing where somebody lets us do all this to it.
 */
export const conformance: readonly Case[] = [...life, ...lostAnswers, ...identity];

import type { Ask } from '../model/plan.ts';
import { holderOf, wantedOf, type Situation, type Standing } from './situation.ts';

/** Two machines with one address would take each other off the network, and answer in each other's name. */
export const takenAddresses = (situation: Situation): readonly Ask[] =>
  barred(situation).map(({ name, because }) => ({
    code: 'address-taken',
    message: `${name} is not made: ${because}.`,
    remedy:
      'Give it another address; or take the one that has it out of the file first, and add this one when it is gone:\n    ichor diff',
  }));

/** Machines that the file no longer has and whose address a new one is to have: they stay until somebody has decided. */
export const holders = (situation: Situation): ReadonlySet<string> =>
  new Set(
    barred(situation).flatMap(
      ({ name, machine }) => holderOf(situation.world, machine?.fixed.address, name)?.name ?? [],
    ),
  );

const barred = (situation: Situation): readonly Standing[] =>
  wantedOf(situation).filter(({ phase }) => phase === 'barred');

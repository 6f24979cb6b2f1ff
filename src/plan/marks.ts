import type { Ask, Drift } from '../model/plan.ts';
import { wantedOf, type Situation, type Standing } from './situation.ts';

/** Somebody took a part of a machine's mark off: until that is put back nobody can prove whose it is. */
export const damagedMarks = (situation: Situation): readonly Ask[] =>
  damaged(situation).map(({ name, where, damage }) => ({
    code: 'mark-damaged',
    message: `${name} lost a part of its mark: ${where} lacks ${damage.lacking.join(' and ')}. Nothing is done to it, and no other one is made in its place.`,
    remedy: `If it is ${name}, give it back what it lacks; if it is not, take its UUID and MAC off:\n    ${damage.restore}`,
  }));

export const markDrift = (situation: Situation): readonly Drift[] =>
  damaged(situation).map(({ name, damage }) => ({
    machine: name,
    kind: 'danger',
    what: 'mark',
    wanted: 'whole',
    found: `without ${damage.lacking.join(' and ')}`,
    because: 'nobody can prove that it is ours, so nothing is done to it',
    remedy: damage.restore,
  }));

const damaged = (situation: Situation) =>
  [...wantedOf(situation), ...situation.leaving].flatMap(({ name, seen, observed }: Standing) => {
    if (seen?.damage === undefined) return [];
    const where = observed === undefined ? 'the VM with its UUID or MAC' : `VM ${observed.id} on ${observed.host}`;
    return [{ name, where, damage: seen.damage }];
  });

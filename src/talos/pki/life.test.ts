import { beforeAll, describe, expect, test } from 'vitest';
import { seededEntropy, testClock } from '../../../test/entropy.ts';
import { newAuthority } from './authority.ts';
import { newClient } from './client.ts';
import { expiresAt, lifeFrom, lifeOf, needsRenewal } from './life.ts';

const start = new Date('2026-11-16T12:00:00.750Z');
const dayMs = 86_400_000;
const after = (days: number): Date => new Date(start.getTime() + days * dayMs);

describe('a certificate for 90 days', () => {
  let crt: string;
  beforeAll(async () => {
    const entropy = seededEntropy('life');
    const authority = await newAuthority('os', entropy, testClock);
    const life = lifeFrom(start, 90 * dayMs);
    ({ crt } = await newClient(
      { authority, subject: { organizations: [] }, life, uses: ['digitalSignature'] },
      entropy,
    ));
  });

  test('knows when it ends, in whole seconds', () => {
    expect(lifeOf(crt)).toEqual({
      notBefore: new Date('2026-11-16T12:00:00Z'),
      notAfter: new Date('2027-02-14T12:00:00Z'),
    });
    expect(expiresAt(crt)).toEqual(new Date('2027-02-14T12:00:00Z'));
  });

  test.each([
    [0, false],
    [59.9, false],
    [60.1, true],
    [91, true],
  ])('after %s days: due for renewal is %s', (days, due) => {
    expect(needsRenewal(crt, after(days))).toBe(due);
  });
});

test('what is no certificate has no life and is due', () => {
  expect([lifeOf('nothing'), expiresAt('nothing'), needsRenewal('nothing', start)]).toEqual([
    undefined,
    undefined,
    true,
  ]);
});

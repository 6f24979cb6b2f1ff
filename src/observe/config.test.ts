import { expect, test } from 'vitest';
import { configChanges } from './config.ts';

const wanted = 'version: v1alpha1\nmachine:\n    type: worker\n    token: abcdef.0123456789abcdef\n';

test('a configuration that cannot be read is other as a whole, and what it says is told to nobody', () => {
  const there = 'version: v1alpha1\nmachine: { tokn: secret-of-theirs }\n';
  const changes = configChanges(there, wanted, '1.13');
  expect(changes.map(({ path, reboot }) => ({ path, reboot }))).toEqual([{ path: '', reboot: true }]);
  expect(JSON.stringify(changes)).not.toContain('secret-of-theirs');
});

test('secrets are masked on both sides', () => {
  const there = wanted.replace('0123456789abcdef', 'fedcba9876543210');
  const changes = configChanges(there, wanted, '1.13');
  expect(changes.map(({ path }) => path)).toEqual(['machine.token']);
  expect(JSON.stringify(changes)).not.toMatch(/0123456789abcdef|fedcba9876543210/);
});

test('empty lists and another order are nothing', () => {
  const there = 'machine:\n  token: abcdef.0123456789abcdef\n  certSANs: []\n  type: worker\nversion: v1alpha1\n';
  expect(configChanges(there, wanted, '1.13')).toEqual([]);
});

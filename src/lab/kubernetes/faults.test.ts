import { expect, test } from 'vitest';
import { createFaults, isMeant } from './faults.ts';

test.each([
  [undefined, 'GET', '/anything', true],
  ['GET /api/v1/namespaces/*/pods', 'GET', '/api/v1/namespaces/a/pods', true],
  ['GET /api/v1/namespaces/*/pods', 'GET', '/api/v1/namespaces/a/pods/b', false],
  ['* /api/**', 'PUT', '/api/v1/pods/b', true],
  ['* /**/pods', 'GET', '/api/v1/pods', true],
  ['POST /**', 'GET', '/api', false],
])('%s and %s %s', (match, method, path, expected) => {
  expect(isMeant(match, { method, path })).toBe(expected);
});

test('a fault strikes so many times and no more', () => {
  const faults = createFaults(() => 0);
  faults.add({ kind: 'refuse', times: 2, code: 503 });
  const strike = () => faults.strike({ method: 'GET', path: '/' }).length;

  expect([strike(), strike(), strike()]).toEqual([1, 1, 0]);
});

test('a share of requests is struck', () => {
  const chances = [0.1, 0.9];
  const faults = createFaults(() => chances.shift() ?? 1);
  faults.add({ kind: 'delay', share: 0.5 });
  const strike = () => faults.strike({ method: 'GET', path: '/' }).length;

  expect([strike(), strike()]).toEqual([1, 0]);
});

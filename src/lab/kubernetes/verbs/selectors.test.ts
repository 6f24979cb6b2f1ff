import { expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { labelSelector } from './label-selector.ts';

const labels = { app: 'web', tier: 'front', size: '7' };
const refusal = (text: string): string => {
  try {
    labelSelector(text);
    return 'it was taken';
  } catch (error) {
    return error instanceof Refusal ? error.message : String(error);
  }
};

test.each([
  ['app=web', true],
  ['app==web,tier!=back', true],
  ['app in (web,api),tier notin (back)', true],
  ['app', true],
  ['!app', false],
  ['!old,size>6', true],
  ['size<7', false],
  ['missing!=x', true],
  ['missing in (x)', false],
  ['app in ()', false],
  ['app=', false],
  ['in=x', false],
])('%s', (text, expected) => {
  expect(labelSelector(text)(labels)).toBe(expected);
});

test.each([
  ['a===b', "unable to parse requirement: found '=', expected: identifier"],
  ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a,,b', "found ',', expected: identifier after ','"],
  ['a foo b', "unable to parse requirement: found 'foo', expected: in, notin, =, ==, !=, gt, lt"],
  [
    'a>x',
    "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
])('%s is refused in the real words', (text, message) => {
  expect(refusal(text)).toBe(message);
});

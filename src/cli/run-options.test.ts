import { Command } from 'commander';
import { afterEach, expect, test } from 'vitest';
import { agreed, withRun, withYes } from './run-options.ts';

const before = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env)) if (/^ICHOR_(?!SEED|SWEEP)/.test(name)) delete process.env[name];
  Object.assign(process.env, before);
});

function parsed(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Record<string, unknown> | string {
  Object.assign(process.env, env);
  let said = '';
  const command = withYes(withRun(new Command('up')))
    .exitOverride()
    .configureOutput({ writeErr: (text) => (said += text) });
  try {
    return command.parse([...argv], { from: 'user' }).opts();
  } catch {
    return said;
  }
}

const usual = { workspace: 'default', output: 'text', parallelism: 128, timeout: 900_000, yes: false };

test('what nobody says has a default', () => {
  expect(parsed([])).toEqual(usual);
});

test('a variable stands in for a flag, and the flag wins', () => {
  const env = {
    ICHOR_WORKSPACE: 'blue',
    ICHOR_OUTPUT: 'jsonl',
    ICHOR_PARALLELISM: '8',
    ICHOR_TIMEOUT: '1h30m',
    ICHOR_ONLY: 'prod',
  };
  expect(parsed(['--output', 'json', '--parallelism', '2'], env)).toEqual({
    ...usual,
    workspace: 'blue',
    output: 'json',
    parallelism: 2,
    timeout: 5_400_000,
    only: 'prod',
  });
});

test('an empty variable is none', () => {
  expect(parsed([], { ICHOR_WORKSPACE: '', ICHOR_OUTPUT: '', ICHOR_PARALLELISM: '', ICHOR_TIMEOUT: '' })).toEqual(
    usual,
  );
});

test.each([
  ['ICHOR_OUTPUT', 'xml', 'Use text, json, jsonl.'],
  ['ICHOR_PARALLELISM', '0', 'Use a whole number, at least 1.'],
  ['ICHOR_TIMEOUT', 'soon', 'Use a duration such as 45s, 10m or 1h30m.'],
  ['ICHOR_WORKSPACE', '../other', 'Use small letters, digits and hyphens.'],
])('a bad value in %s is named', (name, value, advice) => {
  const said = parsed([], { [name]: value });
  expect(said).toContain(`value '${value}' from env '${name}' is invalid. ${advice}`);
});

test('a bad value of a flag is named too', () => {
  expect(parsed(['--parallelism', 'many'])).toContain("'many' is invalid. Use a whole number, at least 1.");
});

test('ICHOR_YES agrees when it says so, and only then', () => {
  expect(agreed({ yes: true }, {})).toBe(true);
  for (const written of ['1', 'true', 'YES']) expect(agreed({ yes: false }, { ICHOR_YES: written })).toBe(true);
  for (const written of ['', '0', 'false', 'No']) expect(agreed({ yes: false }, { ICHOR_YES: written })).toBe(false);
  expect(() => agreed({ yes: false }, { ICHOR_YES: 'maybe' })).toThrow('ICHOR_YES is "maybe"');
});

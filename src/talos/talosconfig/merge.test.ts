import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { sweep } from '../../../test/sweep.ts';
import { mergeTalosconfig } from './merge.ts';
import { rewriteContext } from './rewrite.ts';
import type { TalosContext, Talosconfig } from './talosconfig.ts';

const context: TalosContext = { endpoints: ['10.0.0.1'], nodes: [], ca: 'abc', crt: undefined, key: undefined };
const added = (name: string): Talosconfig => ({ context: name, contexts: new Map([[name, context]]) });
const written = '        endpoints:\n            - 10.0.0.1\n        ca: YWJj\n';

describe('a context goes into', () => {
  test.each<[name: string, text: string, merged: string, renames: readonly object[]]>([
    ['nothing', '', `context: prod\ncontexts:\n    prod:\n${written}`, []],
    ['an empty file of talosctl', 'context: ""\ncontexts: {}\n', `context: prod\ncontexts:\n    prod:\n${written}`, []],
    ['a file without contexts', 'context: a\ncontexts:\n', `context: prod\ncontexts:\n    prod:\n${written}`, []],
    [
      'a file with others, comments and unknown fields',
      '# mine\ncontext: a\ncontexts:\n    1:\n        endpoints: [b]\n        new: 1 # theirs\n',
      `# mine\ncontext: prod\ncontexts:\n    1:\n        endpoints: [ b ]\n        new: 1 # theirs\n    prod:\n${written}`,
      [],
    ],
    [
      'a file that has its name',
      'context: prod\ncontexts:\n    prod: {}\n    prod-1: {}\n',
      `context: prod-2\ncontexts:\n    prod: {}\n    prod-1: {}\n    prod-2:\n${written}`,
      [{ from: 'prod', to: 'prod-2' }],
    ],
  ])('%s', (_, text, merged, renames) => {
    expect(mergeTalosconfig(text, 'talosconfig', added('prod'))).toEqual({ text: merged, renames });
  });
});

test('a file that is no talosconfig stays as it is', () => {
  expect(() => mergeTalosconfig('- a\n', 'notes.yaml', added('prod'))).toThrow('This is no talosconfig.');
});

test('no context is ever lost or changed, and the added one is there and current', () => {
  const name = fc.oneof(
    fc.constantFrom('prod', 'prod-1', 'prod-2', 'a@b', '1', '1.5', 'true', 'null'),
    fc.string({ minLength: 1, maxLength: 8 }),
  );
  const usable = name.filter((text) => /^[\x20-\x7e]+$/.test(text) && text !== '__proto__' && text !== '<<');
  const fields = fc.record(
    { endpoints: fc.array(fc.ipV4()), extra: fc.string({ unit: 'grapheme-ascii' }) },
    { requiredKeys: [] },
  );
  const property = fc.property(
    fc.uniqueArray(fc.tuple(usable, fields), { selector: ([key]) => key }),
    usable,
    (others, own) => {
      const text = stringify({ context: 'x', contexts: new Map(others) }, { compat: 'yaml-1.1' });
      const { text: merged, renames } = mergeTalosconfig(text, 'talosconfig', added(own));
      const after = parse(merged, { mapAsMap: true }) as Map<string, Map<string, Map<string, unknown>>>;
      const contexts = after.get('contexts') ?? new Map<string, Map<string, unknown>>();
      const current = renames[0]?.to ?? own;

      expect([...contexts].filter(([key]) => key !== current)).toEqual(
        others.map(([key, value]) => [key, new Map(Object.entries(value))]),
      );
      expect([after.get('context'), contexts.get(current)?.get('ca')]).toEqual([current, 'YWJj']);
    },
  );
  fc.assert(property, sweep('contexts merged', 100, 2000));
});

test('a context gets other values, and nothing else of a file is touched', () => {
  const text =
    '# mine\ncontexts:\n    a: {auth: {siderov1: {identity: me}}, key: broken}\n    b:\n        endpoints:\n            - x\n        target: y\n        crt: old # theirs\n        new: 1\n';
  expect(rewriteContext({ text, file: 'talosconfig' }, 'b', { endpoints: ['z'], crt: 'abc' })).toBe(
    '# mine\ncontexts:\n    a: { auth: { siderov1: { identity: me } }, key: broken }\n    b:\n        endpoints:\n            - z\n        crt: YWJj\n        new: 1\n',
  );
});

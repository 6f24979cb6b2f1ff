import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/talos/config/read.ts';
import { immediateFields } from '../../src/talos/config/reboot.ts';
import { applyPatches } from '../../src/talos/patch/apply.ts';
import { root } from '../cli.ts';
import { fencesOf } from './page.ts';

const page = readFileSync(join(root, 'docs/talos-patches.md'), 'utf8');

/** Behind the first one, which is a part of a platform file, they come in threes: configuration, patch, result. */
const [, ...texts] = fencesOf(page).flatMap(({ language, code }) => (language === 'yaml' ? [code] : []));
const examples = texts.flatMap((config, index) =>
  index % 3 === 0 ? [{ config, patch: texts[index + 1] ?? '', result: texts[index + 2] ?? '' }] : [],
);

test.each(examples)('an example of the page about patches is true', ({ config, patch, result }) => {
  const given = { config: readConfig(config, 'config.yaml', '1.13'), provenance: new Map(), contract: '1.13' as const };
  const written = [{ scope: { kind: 'all' as const }, source: 'the page', text: patch }];
  expect(applyPatches(given, written).config).toEqual(readConfig(result, 'result.yaml', '1.13'));
});

test('the page names every part that changes without a reboot, and no other', () => {
  const rows = [...page.matchAll(/^\| (top|`machine`|`machine\.features`) \| (.*) \|$/gm)];
  const named = rows.flatMap(([, part = '', fields = '']) =>
    [...fields.matchAll(/`(\w+)`/g)].map(([, field = '']) =>
      part === 'top' ? field : `${part.replaceAll('`', '')}.${field}`,
    ),
  );
  expect(named.toSorted()).toEqual(immediateFields.toSorted());
});

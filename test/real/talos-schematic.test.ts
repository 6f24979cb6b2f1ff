import fc from 'fast-check';
import { expect, test } from 'vitest';
import { schematicText } from '../../src/talos/schematic/schematic.ts';
import { sweep } from '../sweep.ts';
import { askAll } from './oracle.ts';
import { buildTimeoutMs } from './peers.ts';

const text = fc
  .oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[-+]?[0-9_.:xobeET Z-]{1,10}$/),
    fc.stringMatching(/^[ \n\ta#:-]{1,8}$/),
    fc.stringMatching(/^[a-z]+(?:\n[ a-z]*)*\n*$/),
    fc.constantFrom(
      '2026-11-16',
      '2026-11-16T10:00:00Z',
      '0x1f',
      '0o7',
      '1_000',
      '1:30',
      '~',
      'yes',
      '.5',
      '<<',
      '...',
    ),
    fc.constantFrom('console=ttyS0,115200', '-console', 'ip=10.0.0.2::10.0.0.1:255.255.255.0::eth0:off', 'a: b', '- c'),
  )
  // Unpaired halves of characters are no text to Go, and two rare ends of a line are none to anybody.
  .filter((given) => !/[\u2028\u2029]|\p{Surrogate}/u.test(given));

test('texts of schematics are those of the factory’s YAML library', { timeout: buildTimeoutMs }, async () => {
  const { numRuns, seed } = sweep('schematics judged', 2000, 20_000);
  const schematics = fc
    .sample(fc.tuple(text, fc.array(text, { maxLength: 3 }), text), { numRuns, seed })
    .map(([embeddedMachineConfiguration, extraKernelArgs, value]) => ({
      embeddedMachineConfiguration,
      extraKernelArgs,
      meta: [{ key: 10, value }],
    }));
  const theirs = await askAll<string>(
    'schematic',
    schematics.map((customization) => ({ customization })),
  );

  const differing = schematics.filter((schematic, index) => schematicText(schematic) !== theirs[index]);
  console.log(`schematics: ${numRuns - differing.length} of ${numRuns} texts equal`);
  expect(differing).toEqual([]);
});

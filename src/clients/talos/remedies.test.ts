import { readdirSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { talosCommands } from '../../cli/talos.ts';

const here = new URL('./', import.meta.url);

/** Everything that the client tells people to type. */
const commands = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .flatMap((name) => [...readFileSync(new URL(name, here), 'utf8').matchAll(/\\n {4}(ichor [^'`]*)/g)])
  .map(([, command = '']) => command.replaceAll(/\$\{[^}]*\}/g, '10.0.0.5').trim());

function talos(): Command {
  const program = new Command('talos');
  talosCommands(program, {} as never);
  return program;
}

/** What no command or option of ours explains; everything, where there is no such command. */
function unknownIn(line: string): readonly string[] {
  let command = talos();
  const unknown: string[] = [];
  for (const word of line.split(' ').slice(2)) {
    const below = command.commands.find((one) => one.name() === word);
    const known = command.options.some(({ short, long }) => word === short || word === long);
    if (below !== undefined) command = below;
    else if (word.startsWith('-') && !known) unknown.push(word);
  }
  return command.parent === null ? [line] : unknown;
}

describe('a remedy is a command that exists', () => {
  test('there are some', () => {
    expect(commands.length).toBeGreaterThan(20);
  });

  test.each([...new Set(commands)])('%s', (line) => {
    expect(line.startsWith('ichor talos ')).toBe(true);
    expect(unknownIn(line)).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ichor, root } from './cli.ts';

/** Options of every command, long and short, as it tells them to bash. */
function commandLines(): Map<string, ReadonlySet<string>> {
  const { stdout } = ichor(['completion', 'bash']);
  const flags = new Map<string, Set<string>>();
  for (const [, path = '', words = ''] of stdout.matchAll(/^ +'(ichor[^']*)'\) if .*?-W '([^']*)'/gm))
    flags.set(path, new Set([...words.split(' '), '-h', '-y']));
  for (const [, path = '', short = ''] of stdout.matchAll(/^ +'(ichor[^']*) (-[a-z])'\|/gm))
    flags.get(path)?.add(short);
  return flags;
}

/** What source code tells people to type: what stands on a line of its own in a text. */
function typedIn(source: string): readonly string[] {
  const text = source.replaceAll(/\$\{[^{}]*\}/g, 'VALUE').replaceAll(String.raw`\n`, '\n');
  return [...text.matchAll(/^ {2,}(?:\w+: `?)?(ichor [a-z][^`'\n]*|[^`'\n]*&& ichor [a-z][^`'\n]*)/gm)].flatMap(
    ([, line = '']) =>
      line
        .split(/ (?:&&|\|\|?|>|<) /)
        .map((command) => command.split(/ {3,}/)[0]!.trim())
        // Prose goes on behind a command with a full stop, or speaks of ichor itself.
        .map((command) => command.replace(/\. .*$/, ''))
        .filter((command) => command.startsWith('ichor ') && !/^ichor (?:does|may|makes|has) /.test(command)),
  );
}

function wrongIn(command: string, flags: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const words = command.split(' ');
  let path = 'ichor';
  let rest = words.slice(1);
  while (rest[0] !== undefined && flags.has(`${path} ${rest[0]}`)) {
    path = `${path} ${rest[0]}`;
    rest = rest.slice(1);
  }
  if (path === 'ichor') return `${command}: there is no such command`;
  const unknown = rest.filter((word) => /^--?[a-z]/.test(word) && !flags.get(path)?.has(word.split('=')[0]!));
  return unknown.length === 0 ? undefined : `${command}: ${path} has no ${unknown.join(', ')}`;
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('wire'),
);

test('whatever ichor tells people to type is a command that it has, with options that it takes', () => {
  const flags = commandLines();
  // An alias is a command too.
  flags.set('ichor apply', flags.get('ichor up') ?? new Set());
  const typed = new Map(
    sources.flatMap((name) =>
      typedIn(readFileSync(join(root, 'src', name), 'utf8')).map((command) => [command, name] as const),
    ),
  );
  expect(typed.size).toBeGreaterThan(150);
  const wrong = [...typed].flatMap(([command, name]) => {
    const why = wrongIn(command, flags);
    return why === undefined ? [] : [`${name}: ${why}`];
  });
  expect(wrong).toEqual([]);
});

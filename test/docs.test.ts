import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './cli.ts';
import { anchorsOf, fencesOf, isShown, linksOf, stepsOf } from './docs/page.ts';
import { play } from './docs/play.ts';

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', name.replaceAll('\\', '/'))),
].toSorted();

const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

describe('the pages', () => {
  test.each(pages)('%s: what it tells people to type works', (page) => {
    const { ran, left, wrong } = play(textOf(page));
    if (ran + left.length > 0)
      process.stderr.write(
        `${page}: ${ran} ran, ${left.length} not:${left.map((command) => `\n  ${command}`).join('')}\n`,
      );
    expect(wrong).toEqual([]);
  });

  test.each(pages)('%s: its links lead somewhere', (page) => {
    const broken = linksOf(textOf(page)).flatMap(({ line, target }) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : posix.join(posix.dirname(page), path);
      if (!existsSync(join(root, file))) return [`${line}: ${target} is not there`];
      if (anchor === undefined || statSync(join(root, file)).isDirectory()) return [];
      return anchorsOf(textOf(file)).includes(anchor) ? [] : [`${line}: there is no #${anchor} in ${file}`];
    });
    expect(broken).toEqual([]);
  });

  test('there are some', () => {
    expect(pages).toContain('README.md');
    expect(dirname(pages.find((page) => page.startsWith('docs/')) ?? '')).toBe('docs');
  });
});

describe('the player', () => {
  const fence = (info: string, code: string) => `# Page\n\n\`\`\`${info}\n${code}\n\`\`\`\n`;

  test.each<[what: string, page: string, played: ReturnType<typeof play>]>([
    ['a script', fence('sh', 'ichor --version'), { ran: 1, left: [], wrong: [] }],
    [
      'a script that fails',
      fence('sh', 'ichor --version\nfalse'),
      { ran: 1, left: [], wrong: ['3: ichor --version\nfalse\nexits with 1\n0.1.0'] },
    ],
    [
      'a script that fails in its middle',
      fence('sh', 'exit 3\ntrue'),
      { ran: 1, left: [], wrong: ['3: exit 3\ntrue\nexits with 3\n'] },
    ],
    ['a script that must fail', fence('sh fails', 'false'), { ran: 1, left: [], wrong: [] }],
    [
      'a script that must fail and does not',
      fence('sh fails', 'true'),
      { ran: 1, left: [], wrong: ['3: true\nexits with 0, and is marked to fail\n'] },
    ],
    [
      'a script that is not run',
      fence('sh no-run', '# twice\nmake demo\nmake test'),
      { ran: 0, left: ['3: make demo', '3: make test'], wrong: [] },
    ],
    [
      'a console',
      fence('console', '$ echo one; echo two >&2\none\ntwo\n$ echo three'),
      { ran: 2, left: [], wrong: [] },
    ],
    [
      'a console with another output',
      fence('console', '$ echo one\ntwo'),
      { ran: 1, left: [], wrong: ['4: echo one\nprints\none\nand the page shows\ntwo'] },
    ],
    ['a console that must fail', fence('console fails', '$ echo one; exit 2\none'), { ran: 1, left: [], wrong: [] }],
    [
      'a file and what reads it',
      `${fence('yaml file=a/b.yaml', 'a: 1')}\n${fence('console', '$ cat a/b.yaml\na: 1')}`,
      { ran: 1, left: [], wrong: [] },
    ],
    [
      'a file somewhere else',
      fence('yaml file=../b.yaml', 'a: 1'),
      { ran: 0, left: [], wrong: ['3: ../b.yaml is outside of the folder.'] },
    ],
    [
      'an unknown marker',
      fence('sh norun', 'make'),
      { ran: 0, left: [], wrong: ['3: "norun" is no marker of a sh fence.'] },
    ],
    [
      'an unknown marker of a file',
      fence('yaml no-run', 'a: 1'),
      { ran: 0, left: [], wrong: ['3: "no-run" is no marker of a yaml fence.'] },
    ],
    [
      'the examples',
      fence('sh', 'test -f examples/ha.yaml\nbin/ichor validate -f examples/ha.yaml'),
      { ran: 1, left: [], wrong: [] },
    ],
    ['other languages', fence('json', '{ broken'), { ran: 0, left: [], wrong: [] }],
  ])('%s', (_, page, played) => {
    expect(play(page)).toEqual(played);
  });

  test.each<[printed: string, shown: string, same: boolean]>([
    ['a\nb\n', 'a\nb', true],
    ['a \nb\n', 'a\nb', true],
    ['a\nb\nc\n', 'a\n…\nc', true],
    ['a\nc\n', 'a\n…\nc', true],
    ['a\nb\nc\n', '…\nc', true],
    ['a\nb\nc\n', 'a\n…', true],
    ['a\nb\nc\n', 'a\n…\nb', false],
    ['a\nb\n', 'a', false],
    ['a\n', 'a\nb', false],
  ])('%j is shown as %j: %s', (printed, shown, same) => {
    expect(isShown(printed, shown)).toBe(same);
  });

  test('fences, steps, links and anchors are found as Markdown means them', () => {
    const page =
      '- item\n  ```console\n  $ one \\\n  >   --two\n  out\n\n  $ three\n  ```\n\n````md\n```sh\n````\n[a](b.md#c) `[d](e)` ![f](<g.svg> "h") [i](https://j)\n\n## The `k` and *l*, once\n';
    const [console, md] = fencesOf(page);
    expect([console?.language, md?.code]).toEqual(['console', '```sh\n']);
    expect(console && stepsOf(console)).toEqual([
      { line: 3, command: 'one \\\n  --two', output: 'out' },
      { line: 7, command: 'three', output: undefined },
    ]);
    expect(linksOf(page).map(({ target }) => target)).toEqual(['b.md#c', 'g.svg', 'https://j']);
    expect(anchorsOf(page)).toEqual(['the-k-and-l-once']);
  });
});

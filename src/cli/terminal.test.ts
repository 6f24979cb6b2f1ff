import { expect, test } from 'vitest';
import { terminal, type Around } from './terminal.ts';
import { progress } from './views/progress.ts';

/** Streams that are terminals or are not, and what was written to them. */
function around(ttys: { readonly out?: boolean; readonly err?: boolean }, env: Readonly<Record<string, string>> = {}) {
  const said = { out: '', err: '' };
  const stream = (side: 'out' | 'err', isTTY: boolean) => ({
    isTTY,
    columns: 80,
    write: (text: string) => void (said[side] += text),
  });
  const streams = {
    env,
    stdin: { isTTY: true },
    stdout: stream('out', ttys.out ?? false),
    stderr: stream('err', ttys.err ?? false),
  };
  return { said, streams: streams as unknown as Around };
}

test('a file that errors go to has no colours in it, whoever looks at the rest', () => {
  const { said, streams } = around({ out: true });
  const { out, err, paint } = terminal(true, undefined, streams);
  out(paint('red', 'bad'));
  err(paint('red', 'bad'));
  expect(said).toEqual({ out: '\u001B[31mbad\u001B[39m', err: 'bad' });
});

test.each([
  [{ out: true }, {}],
  [{ out: true, err: true }, { TERM: 'dumb' }],
  [{ out: true, err: true }, { CI: 'true' }],
])('where a line cannot be written over, lines follow each other: %j %j', (ttys, env) => {
  const { said, streams } = around(ttys, env);
  const shown = progress(terminal(true, undefined, streams));
  shown.waiting('looking', 0);
  shown.waiting('looking', 1000);
  shown.end();
  expect(said.err).toBe('looking (0 s)\n');
});

test('what is said meanwhile takes the place of a line that was to be written over', () => {
  const { said, streams } = around({ out: true, err: true });
  const here = terminal(false, undefined, streams);
  const shown = progress(here);
  shown.waiting('looking', 0);
  here.err('warning: it is late\n');
  shown.waiting('looking', 1000);
  shown.end();
  shown.end();
  here.out('done\n');
  expect(said).toEqual({
    out: 'done\n',
    err: 'looking (0 s)\r\u001B[2Kwarning: it is late\nlooking (1 s)\r\u001B[2K',
  });
});

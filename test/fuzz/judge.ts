import { decode } from '../../src/spec/source.ts';
import type { Input } from '../../src/spec/documents.ts';
import { read, type Reading } from '../../src/spec/read.ts';

const slowestMs = 2000;

/** What `read` does wrong with an input; undefined when it does what it promises. */
export function judge(input: Input): string | undefined {
  let reading;
  let tookMs;
  try {
    [reading, tookMs] = timed(input);
    // The first time includes the compiler's; a file that is hard to read is slow every time.
    for (let again = 0; tookMs > slowestMs && again < 3; again++) tookMs = Math.min(tookMs, timed(input)[1]);
  } catch (error) {
    return `it crashed: ${error instanceof Error ? error.stack : String(error)}`;
  }
  if (tookMs > slowestMs) return `it took ${Math.round(tookMs)} ms`;
  const { problems, platforms, substrates, others, documents, texts } = reading;
  const unknown = problems.every(({ severity }) => severity !== 'error');
  if (unknown && platforms.length + substrates.length + others.length + documents.length === 0)
    return 'there is nothing, and nothing is said about it';
  const lines = linesOf(input);
  for (const problem of problems) {
    const { at, code, message, remedy } = problem;
    const wrong = (what: string) => `${what}: ${code} "${message}" at ${JSON.stringify(at)}`;
    if (at === undefined) return wrong('a problem has no place');
    if (code === '' || message === '' || remedy === '') return wrong('a problem has no code, message or remedy');
    if (message.length > 2000 || remedy.length > 2000) return wrong('a problem is a novel');
    if (/undefined|\[object|NaN|function/.test(message.replaceAll(/"[^"]*"/g, '')))
      return wrong('a problem speaks JavaScript');
    const known = lines.get(at.file);
    if (known === undefined) return wrong('a problem is in no file');
    const inside = known.some((file) => {
      const line = file[at.line - 1];
      return line !== undefined && at.column >= 1 && at.column <= line.length + 1 && at.length >= 1;
    });
    if (!inside) return wrong('a problem is outside of the text');
  }
  for (const [name, text] of texts) {
    // Of a file that is too large nothing is kept.
    if (text === '') continue;
    const shown = text.split('\n').map((line) => line.length);
    if (!lines.get(name)?.some((file) => file.every((line, index) => line.length === shown[index])))
      return `the text of ${name} is shown with other lines than it has`;
  }
  return undefined;
}

/** On a busy machine the clock runs on while we wait for a processor; that time is not ours. */
function timed(input: Input): readonly [reading: Reading, tookMs: number] {
  const [started, before] = [performance.now(), process.cpuUsage()];
  const reading = read(input);
  const { user, system } = process.cpuUsage(before);
  return [reading, Math.min(performance.now() - started, (user + system) / 1000)];
}

/** Lines of the files by name; a name can be given twice. */
function linesOf({ sources, varFiles = [], settings = [] }: Input): ReadonlyMap<string, readonly string[][]> {
  const files = new Map<string, string[][]>([
    ['--set', [settings.join('\n').split('\n')]],
    ['-', [['']]],
  ]);
  for (const source of [...sources, ...varFiles])
    files.set(source.name, [...(files.get(source.name) ?? []), decode(source).split('\n')]);
  return files;
}

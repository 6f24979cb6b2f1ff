import type { Check, Verification } from '../../engine/verify.ts';
import { groupBy } from '../../model/group.ts';
import { remedyLines } from '../problems.ts';
import type { Terminal } from '../terminal.ts';
import { wrap } from './wrap.ts';

type Paint = Terminal['paint'];
type Page = Pick<Terminal, 'paint' | 'again' | 'columns' | 'interactive'>;

/** Each check in a line; what is not fine with why, and with what to type. */
export function verificationText({ platform, checks, failed, warnings }: Verification, page: Page): string {
  const { paint } = page;
  const width = Math.max(...checks.map(({ about }) => about.length));
  const lines = [...groupBy(checks, ({ about }) => about)].flatMap(([about, group]) =>
    group.flatMap((check, index) => checkLines(check, (index === 0 ? about : '').padEnd(width), page)),
  );
  const fine = checks.filter(({ state }) => state === 'ok').length;
  const skipped = checks.filter(({ state }) => state === 'skipped').length;
  const counted = [
    `${fine} fine`,
    ...(warnings === 0 ? [] : [`${warnings} to look at soon`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ].join(', ');
  const said = paint(failed > 0 ? 'red' : warnings > 0 ? 'yellow' : 'green', counted);
  return `${[...lines, '', `${paint('bold', platform)}: ${checks.length} check${checks.length === 1 ? '' : 's'}, ${said}.`].join('\n')}\n`;
}

function checkLines({ what, state, why, remedy }: Check, about: string, page: Page): readonly string[] {
  const { paint } = page;
  const indent = ' '.repeat(about.length + 4);
  const below = (text: string): readonly string[] => whole(text, indent.length, page).map((line) => indent + line);
  const head = (...more: readonly string[]): readonly string[] => {
    const words = more.flatMap((text) => text.split(' ')).map((word) => paint('dim', word));
    const [first = '', ...others] = whole([what, ...words].join(' '), indent.length, page);
    return [`${marks[state](paint)} ${paint('bold', about)}  ${first}`, ...others.map((line) => indent + line)];
  };
  if (state === 'ok') return why === '' ? head() : head(`(${why})`);
  if (state === 'skipped') return head(`Not looked at: ${why}.`);
  return [...head(), ...why.split('; ').flatMap(below), ...remedyLines(remedy, indent, page)];
}

/** On a terminal words are not broken; elsewhere a check is a line. */
const whole = (text: string, indent: number, { columns, interactive }: Page): readonly string[] =>
  interactive ? wrap(text, columns - indent) : [text];

const marks: Readonly<Record<Check['state'], (paint: Paint) => string>> = {
  ok: (paint) => paint('green', '✓'),
  warning: (paint) => paint(['bold', 'yellow'], '!'),
  failed: (paint) => paint(['bold', 'red'], '✗'),
  skipped: (paint) => paint('dim', '-'),
};

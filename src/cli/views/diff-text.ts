import type { Differences } from '../../engine/drift.ts';
import type { Doubt, Drift } from '../../model/plan.ts';
import { remedyLines } from '../problems.ts';
import type { Terminal } from '../terminal.ts';
import { stepWords } from './step-words.ts';
import { wrap } from './wrap.ts';

type Page = Pick<Terminal, 'paint' | 'columns' | 'again'>;

/** Differences for people, apart by what becomes of them. */
export function diffText(found: Differences, page: Page): string {
  const { platform, any, doubts } = found;
  const end = any ? ending(found) : doubts.length > 0 ? 'No difference in what could be seen.' : 'No difference.';
  const sections = [
    section(
      'ours to correct (the next ichor up does it)',
      'yellow',
      found.correct.flatMap((each) => driftLines(each, page)),
      page,
    ),
    section(
      'theirs to keep',
      'cyan',
      found.keep.flatMap((each) => driftLines(each, page)),
      page,
    ),
    section(
      'dangerous to touch: you decide',
      'red',
      found.danger.flatMap((each) => driftLines(each, page)),
      page,
    ),
    section(
      'to be done',
      'yellow',
      found.steps.flatMap((step) => stepLines(step, page)),
      page,
    ),
    section(
      'needs you',
      'red',
      found.asks.flatMap(({ message, remedy }) => withRemedy(`! ${page.again?.(message) ?? message}`, remedy, page)),
      page,
    ),
    section(
      'comes later',
      'yellow',
      doubts.filter(({ later }) => later === true).flatMap((each) => doubtLines('·', each, page)),
      page,
    ),
    section(
      'could not be seen',
      'yellow',
      doubts.filter(({ later }) => later !== true).flatMap((each) => doubtLines('?', each, page)),
      page,
    ),
    [
      `${page.paint('bold', platform)}: ${end}`,
      ...(any ? remedyLines('What a run would do:\n    ichor plan', '', page) : []),
    ],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const doubtLines = (sign: string, { about, because }: Doubt, page: Page): readonly string[] =>
  indented(`${sign} ${about}: ${because}`, page);

const section = (
  title: string,
  style: 'yellow' | 'cyan' | 'red',
  lines: readonly string[],
  { paint }: Page,
): readonly string[] => (lines.length === 0 ? [] : [paint(['bold', style], title), ...lines]);

/** Where, then the value that is there and the one that the file has, as a diff shows them. */
function driftLines({ machine, what, wanted, found, because, remedy = '' }: Drift, page: Page): readonly string[] {
  const { paint } = page;
  return [
    ...indented(machine === undefined ? what : `${machine}: ${what}`, page),
    ...(found === undefined ? [] : [`    ${paint('red', `- ${found}`)}`]),
    ...(wanted === undefined ? [] : [`    ${paint('green', `+ ${wanted}`)}`]),
    ...(because === '' ? [] : wrap(because, page.columns - 4).map((line) => `    ${paint('dim', line)}`)),
    ...remedyLines(remedy, '    ', page),
  ];
}

function stepLines({ step, machine, because }: Differences['steps'][number], page: Page): readonly string[] {
  const { mark, what, where } = stepWords(step);
  return indented(
    `${mark} ${machine === undefined ? '' : `${machine}: `}${what}${where === undefined ? '' : `, ${where}`} (${because})`,
    page,
  );
}

const withRemedy = (text: string, remedy: string, page: Page): readonly string[] => [
  ...indented(text, page),
  ...remedyLines(remedy, '    ', page),
];

const indented = (text: string, { columns }: Page): readonly string[] =>
  text
    .split('\n')
    .flatMap((line) => wrap(line, columns - 4).map((each, index) => (index === 0 ? `  ${each}` : `    ${each}`)));

function ending({ correct, keep, danger, steps }: Differences): string {
  const parts = [
    ...(correct.length === 0 ? [] : [`${correct.length} to correct`]),
    ...(keep.length === 0 ? [] : [`${keep.length} to keep`]),
    ...(danger.length === 0 ? [] : [`${danger.length} for you to decide`]),
    ...(steps.length === 0 ? [] : [`${steps.length} ${steps.length === 1 ? 'step' : 'steps'} to be done`]),
  ];
  return `${parts.length === 0 ? 'something needs you' : parts.join(', ')}.`;
}

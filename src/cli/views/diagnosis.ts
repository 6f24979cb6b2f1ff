import type { Diagnosis } from '../../engine/doctor.ts';
import { groupBy } from '../../model/group.ts';
import { isError } from '../../model/problem.ts';
import type { Finding } from '../../providers/provider.ts';
import { problemsJson, remedyLines } from '../problems.ts';
import type { Terminal } from '../terminal.ts';

/** For programs. */
export const diagnosisJson = ({ findings, fine, warnings, errors }: Diagnosis): unknown => ({
  findings: findings.map(({ about, host, what, problem }) => ({
    about,
    host: host ?? null,
    what,
    problem: problem === undefined ? null : problemsJson([problem])[0],
  })),
  fine,
  warnings,
  errors,
});

/** For people: what is fine in a line each, what is not with what to type. */
export function diagnosisText({ findings, fine, warnings, errors }: Diagnosis, terminal: Terminal): string {
  const { paint } = terminal;
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = [...groupBy(findings, ({ about }) => about)].flatMap(([about, group]) =>
    group.flatMap((finding, index) =>
      findingLines(finding, paint('bold', (index === 0 ? about : '').padEnd(width)), width, terminal),
    ),
  );
  const counted = [
    `${fine} fine`,
    ...(warnings === 0 ? [] : [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`]),
    ...(errors === 0 ? [] : [`${errors} that would stop you`]),
  ].join(', ');
  const coloured = paint(errors > 0 ? 'red' : warnings > 0 ? 'yellow' : 'green', counted);
  return `${[...lines, '', `${findings.length} checks: ${coloured}.`].join('\n')}\n`;
}

function findingLines(
  { host, what, problem }: Finding,
  about: string,
  width: number,
  terminal: Terminal,
): readonly string[] {
  const { paint } = terminal;
  const said = (sentence: string): string =>
    host === undefined || sentence.includes(host) ? sentence : `${host}: ${sentence}`;
  if (problem === undefined) return [`${paint('green', '✓')} ${about}  ${said(what)}`];
  const mark = isError(problem) ? paint(['bold', 'red'], '✗') : paint(['bold', 'yellow'], '!');
  const indent = ' '.repeat(width + 4);
  const [first, ...others] = said(problem.message).split('\n');
  return [
    `${mark} ${about}  ${first}`,
    ...others.map((line) => indent + line),
    ...remedyLines(problem.remedy, indent, terminal),
  ];
}

import type { MachineStatus, Status } from '../../engine/status.ts';
import type { Terminal } from '../terminal.ts';
import { lasting } from './duration.ts';
import { table } from './table.ts';

type Paint = Terminal['paint'];

/** For people: who is there and how it goes, then what is not well, then what would be done. */
export function statusText(status: Status, { paint, columns }: Pick<Terminal, 'paint' | 'columns'>): string {
  const sections = [
    [headline(status, paint)],
    machineTable(status, paint, columns),
    facts(status),
    wrongLines(status, paint),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function headline({ platform, machines, well }: Status, paint: Paint): string {
  const wanted = machines.filter((machine) => machine.wanted);
  const ready = wanted.filter(({ node }) => node === 'ready').length;
  const said = well ? paint('green', 'all is well') : paint(['bold', 'red'], 'something is not well');
  return `${paint('bold', platform)}: ${said}, ${ready} of ${wanted.length} nodes Ready.`;
}

type Shown = {
  readonly title: string;
  readonly cell: (machine: MachineStatus) => string;
  /** It says of all what one expects: where there is little room nobody misses it. */
  readonly spare?: boolean;
};

function machineTable(status: Status, paint: Paint, room: number): readonly string[] {
  const { machines } = status;
  let shown = shownOf(status);
  for (;;) {
    const [title = '', ...lines] = table(
      shown,
      machines.map((machine) => shown.map(({ cell }) => cell(machine))),
      (text) => text,
    );
    const spare = shown.findLast((column) => column.spare === true);
    if (spare === undefined || [title, ...lines].every((line) => line.length <= room))
      return [paint('dim', title), ...lines.map((line) => painted(line, paint))];
    shown = shown.filter((column) => column !== spare);
  }
}

function shownOf({ machines, wanted }: Status): readonly Shown[] {
  const hosted: readonly Shown[] = [
    { title: 'host', cell: ({ host }) => host ?? '-' },
    { title: 'power', cell: powerWord, spare: machines.every(({ power }) => power === 'on') },
  ];
  return [
    { title: '', cell: markOf },
    { title: 'machine', cell: ({ name }) => name },
    ...(machines.some(({ power }) => power !== undefined) ? hosted : []),
    { title: 'address', cell: ({ address }) => address ?? '-' },
    { title: 'talos', cell: ({ stage, talos }) => [stage, talos].filter((word) => word !== undefined).join(' ') },
    { title: 'etcd', cell: ({ etcd }) => etcd ?? '-' },
    { title: 'node', cell: nodeWord },
    {
      title: 'kubernetes',
      cell: ({ kubernetes }) => kubernetes ?? '-',
      spare: machines.every(({ kubernetes }) => kubernetes === wanted.kubernetes),
    },
    { title: '', cell: noteOf },
  ];
}

const markOf = ({ wrong, wanted }: MachineStatus): string => (!wanted ? '·' : wrong.length === 0 ? '✓' : '✗');
const powerWord = ({ power }: MachineStatus): string => (power === 'absent' ? 'not there' : (power ?? '-'));

function nodeWord({ node, schedulable }: MachineStatus): string {
  if (node === 'ready') return schedulable === false ? 'Ready, cordoned' : 'Ready';
  return node === 'not-ready' ? 'not Ready' : node === 'none' ? '-' : 'unknown';
}

const noteOf = ({ wanted, changes }: MachineStatus): string =>
  [...(wanted ? [] : ['not in the file']), ...(changes === 0 ? [] : [counted(changes, 'difference')])].join(', ');

function painted(line: string, paint: Paint): string {
  if (line.startsWith('✓')) return paint('green', '✓') + line.slice(1);
  return line.startsWith('✗') ? paint(['bold', 'red'], '✗') + line.slice(1) : line;
}

function facts(status: Status): readonly string[] {
  const { wanted, provider, endpoint, vipHolder, network, lastRun } = status;
  const rows: readonly (readonly [string, string])[] = [
    ['wanted', `Talos ${wanted.talos}, Kubernetes ${wanted.kubernetes}`],
    ...(provider === undefined ? [] : [['provider', `${provider.product} ${provider.version}`] as const]),
    ...(endpoint === undefined
      ? []
      : [['endpoint', vipHolder === undefined ? endpoint : `${endpoint} (at ${vipHolder})`] as const]),
    ['network', networkWords[network]],
    ['to do', toDo(status)],
    ['last run', lastRun === undefined ? 'none' : runWords(lastRun)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

const networkWords: Readonly<Record<Status['network'], string>> = {
  'not-ours': 'left to Talos or to you',
  absent: 'not installed',
  current: 'as the file says',
  differs: 'other than the file says',
  pending: 'being installed',
  'handed-over': 'kept by somebody else',
  foreign: 'somebody else’s',
  unknown: 'unknown',
};

function toDo({ drift, steps, asks, doubts }: Status): string {
  if (steps === undefined) return 'no plan could be made: ichor plan says why';
  const parts = [
    ...(drift.correct === 0 ? [] : [`${counted(drift.correct, 'difference')} to correct`]),
    ...(drift.keep === 0 ? [] : [`${counted(drift.keep, 'difference')} that ${drift.keep === 1 ? 'stays' : 'stay'}`]),
    ...(drift.danger === 0 ? [] : [`${counted(drift.danger, 'difference')} for you to decide`]),
    ...(asks === 0 ? [] : [asks === 1 ? 'a question for you' : `${asks} questions for you`]),
  ];
  if (steps === 0 && parts.length === 0)
    return doubts === 0 ? 'nothing' : 'nothing, as far as could be seen (ichor plan)';
  const look = drift.correct + drift.keep + drift.danger > 0 ? 'ichor diff' : 'ichor plan';
  return `${[...(steps === 0 ? [] : [counted(steps, 'step')]), ...parts].join(', ')} (${look})`;
}

const runWords = ({ intent, began, who, ms, outcome, changed }: NonNullable<Status['lastRun']>): string =>
  [
    `${intent === 'destroy' ? 'destroy' : 'up'} ${outcome}`,
    ...(began === undefined ? [] : [began.slice(0, 16).replace('T', ' ')]),
    ...(who === undefined ? [] : [`by ${who}`]),
    `${counted(changed, 'change')} in ${lasting(ms)}`,
  ].join(', ');

function wrongLines({ wrong, machines }: Status, paint: Paint): readonly string[] {
  const cross = paint(['bold', 'red'], '✗');
  return [
    ...wrong.map((each) => `${cross} ${each}`),
    ...machines.flatMap(({ name, wrong: own }) => own.map((each) => `${cross} ${name}: ${each}`)),
  ];
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

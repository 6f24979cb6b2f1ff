import type { Preview } from '../../engine/run.ts';
import type { Drift, Plan, PlannedStep } from '../../model/plan.ts';
import type { ConfigChange, Disruption } from '../../model/step.ts';
import { remedyLines } from '../problems.ts';
import type { Terminal } from '../terminal.ts';
import { about } from './duration.ts';
import { foldNames, someOf } from './names.ts';
import { planGroups, type LayerGroups, type PlanGroup } from './plan-groups.ts';
import { proofLine, totalsOf, totalsWords } from './plan-totals.ts';
import { disruptionWords, stepWords, type Mark } from './step-words.ts';
import { wrap } from './wrap.ts';

type Page = Pick<Terminal, 'paint' | 'again'> & { readonly width: number };

/** Nobody reads lines that are longer. */
const widest = 110;

/** A plan for people: by layer and machine what is done and why, what it disturbs, how long; what stays open; the totals. */
export function planText({ plan, proof, world }: Preview, terminal: Terminal): string {
  const page = pageOf(terminal);
  const { steps, intent } = plan;
  const sections =
    steps.length === 0
      ? [[emptyWords(plan)], ...openSections(plan, page)]
      : [
          [headline(plan, page)],
          ...planGroups(steps).map((layer) => layerSection(layer, page)),
          ...openSections(plan, page),
          ...(intent === 'destroy' ? [fateSection(plan, world, page)] : []),
          [...totalsWords(totalsOf(steps)), ...(intent === 'converge' ? indented(proofLine(proof), 0, page) : [])],
        ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Where nothing is to do: what is open all the same. */
export const emptyText = (plan: Plan, terminal: Terminal): string =>
  `${[[emptyWords(plan)], ...openSections(plan, pageOf(terminal))].map((lines) => lines.join('\n')).join('\n\n')}\n`;

const pageOf = ({ paint, columns, again }: Terminal): Page => ({
  paint,
  ...(again === undefined ? {} : { again }),
  width: Math.max(40, Math.min(columns, widest)),
});

/** Something is left that only a person, or another look, can settle. */
export const isOpen = ({ asks, doubts, partial, drift }: Plan): boolean =>
  asks.length + doubts.length > 0 || partial || drift.some(({ kind }) => kind === 'danger');

const emptyWords = (plan: Plan): string =>
  isOpen(plan) ? `Nothing to do for now at ${plan.platform}, but something is open:` : nothingToDo(plan);

const nothingToDo = ({ platform, intent }: Pick<Plan, 'platform' | 'intent'>): string =>
  intent === 'destroy'
    ? `Nothing to do: nothing of ${platform} is there.`
    : `Nothing to do: ${platform} is as the file says.`;

const headline = ({ platform, intent, steps }: Plan, { paint }: Page): string => {
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`;
  return `${paint('bold', intent === 'destroy' ? `${platform} goes` : platform)}: ${count}`;
};

const layerSection = ({ layer, groups }: LayerGroups, page: Page): readonly string[] => [
  page.paint('bold', layer),
  ...groups.flatMap((group) => groupLines(group, page)),
];

function groupLines(group: PlanGroup, page: Page): readonly string[] {
  const { machines, steps } = group;
  const indent = machines.length === 0 ? 2 : 4;
  const waits = steps.filter(isWait);
  const place = { page, indent, group };
  return [
    ...(machines.length === 0 ? [] : [`  ${page.paint('bold', foldNames(machines))}`]),
    ...steps.flatMap((step) =>
      isWait(step) ? (step === waits[0] ? waitLines(waits, place) : []) : stepLines(step, place),
    ),
  ];
}

const isWait = ({ step }: PlannedStep): boolean => stepWords(step).mark === '>';

type Place = { readonly page: Page; readonly indent: number; readonly group: PlanGroup };

function stepLines(
  { step, because, disruption, expectedMs }: PlannedStep,
  { page, indent, group }: Place,
): readonly string[] {
  const { paint } = page;
  const inner = indent + 4;
  const many = group.machines.length > 1;
  const { mark, what, where } = stepWords(step);
  const own = many ? (step.kind === 'machine.create' ? `on ${someOf(group.hosts, 6)}` : undefined) : where;
  const changes = step.kind === 'talos.reconfigure' ? step.changes : [];
  return [
    ...entry(
      { mark, text: own === undefined ? what : `${what}, ${own}`, because, time: timeOf(expectedMs, many), indent },
      page,
    ),
    ...changes.flatMap((change) => indented(changeWords(change), inner, page)),
    ...(disruption === 'none'
      ? []
      : indented(`! ${disruptionWords[disruption]}`, inner, page, (line) => paint(alarm(disruption), line))),
  ];
}

const timeOf = (ms: number, many: boolean): string => `${many ? 'each ' : ''}${about(ms)}`;

const alarm = (disruption: Disruption): 'red' | 'yellow' =>
  disruption === 'data' || disruption === 'downtime' ? 'red' : 'yellow';

const changeWords = ({ path, before, after }: ConfigChange): string =>
  before === undefined
    ? `${path}: ${after}`
    : after === undefined
      ? `${path}: ${before} goes`
      : `${path}: ${before} → ${after}`;

/** All that a machine waits for, as one entry. */
function waitLines(waits: readonly PlannedStep[], { page, indent, group }: Place): readonly string[] {
  const many = group.machines.length > 1;
  const counted = new Map<string, number>();
  for (const { step } of waits) {
    const { what } = stepWords(step);
    counted.set(what, (counted.get(what) ?? 0) + 1);
  }
  const gates = [...counted].map(([what, times]) => (times === 1 ? what : `${what} (${times} times)`));
  const reveals = many ? [] : waits.flatMap(({ reveals: each }) => (each === undefined ? [] : [each]));
  const ms = waits.reduce((total, { expectedMs }) => total + expectedMs, 0);
  const because = reveals.length === 0 ? '' : `known after that: ${reveals.join(', ')}`;
  return entry({ mark: '>', text: `wait until ${gates.join('; ')}`, because, time: timeOf(ms, many), indent }, page);
}

const colours = { '+': 'green', '~': 'yellow', '-': 'red', '>': 'dim' } as const;

type Entry = {
  readonly mark: Mark;
  readonly text: string;
  readonly because: string;
  readonly time: string;
  readonly indent: number;
};

/** Mark, words and why on the left, how long on the right. Why goes below where it has no room. */
function entry({ mark, text, because, time, indent }: Entry, page: Page): readonly string[] {
  const { paint, width } = page;
  const room = width - indent - 2 - 14;
  const beside = because !== '' && text.length + 3 + because.length <= room;
  const [first = '', ...others] = beside ? [`${text} · ${because}`] : wrap(text, room);
  const gap = ' '.repeat(Math.max(2, width - indent - 2 - first.length - time.length));
  const shown = beside ? `${text} ${paint('dim', `· ${because}`)}` : first;
  return [
    `${' '.repeat(indent)}${paint(colours[mark], mark)} ${shown}${gap}${paint('dim', time)}`,
    ...others.map((other) => `${' '.repeat(indent + 2)}${other}`),
    ...(beside || because === '' ? [] : indented(because, indent + 4, page, (line) => paint('dim', line))),
  ];
}

/** Lines that follow the first of a paragraph hang under its words. */
const indented = (
  text: string,
  indent: number,
  { width }: Page,
  painted: (line: string) => string = (line) => line,
): readonly string[] => {
  const hang = /^[·!?] /.test(text) ? 2 : 0;
  return wrap(text, width - indent - hang).map(
    (line, index) => `${' '.repeat(indent + (index === 0 ? 0 : hang))}${painted(line)}`,
  );
};

/** What the plan leaves as it is, what a person must decide, what comes later, and what could not be seen. */
function openSections({ drift, asks, doubts, partial }: Plan, page: Page): readonly (readonly string[])[] {
  const { paint } = page;
  const later = doubts.filter((doubt) => doubt.later === true);
  const unseen = doubts.filter((doubt) => doubt.later !== true);
  const kept = drift.filter(({ kind }) => kind === 'keep');
  const danger = drift.filter(({ kind }) => kind === 'danger');
  const needed = [
    ...asks.flatMap(({ message, remedy }) => asked(message, remedy, page)),
    ...danger.flatMap((each) => asked(driftWords(each), each.remedy ?? '', page)),
  ];
  const sections = [
    kept.length === 0
      ? []
      : [
          paint('bold', 'other than the file, and stays'),
          ...kept.flatMap((each) => indented(`· ${driftWords(each)}`, 2, page)),
        ],
    needed.length === 0 ? [] : [paint(['bold', 'red'], 'needs you'), ...needed],
    later.length === 0
      ? []
      : [
          paint('bold', 'comes later'),
          ...later.flatMap(({ about: what, because }) => indented(`· ${what}: ${because}`, 2, page)),
        ],
    unseen.length === 0
      ? []
      : [
          paint(['bold', 'yellow'], 'could not be seen, so nothing is concluded from it'),
          ...unseen.flatMap(({ about: what, because }) => indented(`? ${what}: ${because}`, 2, page)),
        ],
    partial
      ? indented(
          'This is not the whole way: the rest is planned when this is done, or was not asked for.',
          0,
          page,
          (line) => paint('yellow', line),
        )
      : [],
  ];
  return sections.filter((lines) => lines.length > 0);
}

const asked = (message: string, remedy: string, page: Page): readonly string[] => [
  ...indented(`! ${page.again?.(message) ?? message}`, 2, page),
  ...remedyLines(remedy, '    ', page),
];

function driftWords({ machine, what, wanted, found, because }: Drift): string {
  const where = machine === undefined ? what : `${machine}: ${what}`;
  const values = `is ${found ?? 'not there'}${wanted === undefined ? '' : `, the file says ${wanted}`}`;
  return `${where} ${values}${because === '' ? '' : ` (${because})`}`;
}

/** With a destroy: what is gone afterwards, and what is not. */
function fateSection({ steps }: Plan, world: Preview['world'], page: Page): readonly string[] {
  const of = (kind: PlannedStep['step']['kind']): readonly string[] =>
    steps.flatMap(({ step, machine }) => (step.kind === kind && machine !== undefined ? [machine] : []));
  const deleted = of('machine.delete');
  const wiped = of('talos.reset').filter((name) => !deleted.includes(name));
  const secretsGo = steps.some(({ step }) => step.kind === 'secrets.delete');
  const secrets = 'the secrets of the cluster';
  const goes = [
    ...(deleted.length === 0
      ? []
      : [`${plural(deleted.length, 'machine')} with all disks and all data: ${foldNames(deleted)}`]),
    ...(wiped.length === 0 ? [] : [`everything on ${plural(wiped.length, 'machine')}: ${foldNames(wiped)}`]),
    ...(secretsGo ? [`${secrets}: it can never be the same again`] : []),
  ];
  const stays = [
    ...(wiped.length === 0 ? [] : ['these machines themselves: they wait in maintenance mode']),
    ...(secretsGo || world.secrets === 'absent' ? [] : [`${secrets}: ichor up makes the same cluster from them`]),
  ];
  const list = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [title, ...lines.flatMap((line) => indented(line, 2, page))];
  return [...list(page.paint(['bold', 'red'], 'goes for ever'), goes), ...list(page.paint('bold', 'stays'), stays)];
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

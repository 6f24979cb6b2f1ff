import type { Layer } from '../../model/layer.ts';
import {
  byLayer,
  countPhases,
  elapsedMs,
  leftMs,
  runMs,
  shownPass,
  type PassState,
  type RunState,
  type StepState,
} from '../../model/run-state.ts';
import type { Terminal } from '../terminal.ts';
import { about, lasting } from './duration.ts';
import { foldNames } from './names.ts';
import { stoppingWords } from './run-lines.ts';
import { briefly, named } from './run-words.ts';
import { plainLength } from './wrap.ts';

export type Size = { readonly columns: number; readonly rows: number };

type Canvas = Size & { readonly paint: Terminal['paint']; readonly now: Date };

/** More would be a wall, however high the terminal is. */
const highest = 32;

/** A run at one moment, as lines that fit: what layers are done, what runs, what is waited for, how long it takes still. */
export function frame(state: RunState, now: Date, size: Size, paint: Terminal['paint']): readonly string[] {
  const canvas = { ...size, rows: Math.min(size.rows, highest), paint, now };
  const pass = shownPass(state);
  const layers = pass === undefined ? [] : [...byLayer(pass.steps.values())];
  const stopping =
    state.stopping === undefined ? [] : [notice(`Stopping ${stoppingWords(state.stopping, state, 2)}`, canvas)];
  const details = detailsOf(layers, canvas.rows - 1 - layers.length - stopping.length);
  const lines = [
    headline(state, pass, canvas),
    ...layers.flatMap(([layer, steps]) => [
      layerLine(layer, steps, canvas),
      ...(details.get(layer) ?? []).map((detail) => detailLine(detail, canvas)),
    ]),
  ];
  return [...lines.slice(0, canvas.rows - stopping.length), ...stopping];
}

const spinner = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const spin = (now: Date): string => spinner[Math.floor(now.getTime() / 100) % spinner.length] ?? '';

function headline(state: RunState, pass: PassState | undefined, canvas: Canvas): string {
  const { paint, now } = canvas;
  const name = state.run?.platform ?? pass?.plan?.platform;
  const counts = countPhases(pass?.steps.values() ?? []);
  const parts =
    state.doing === 'running'
      ? [
          `${counts.done} of ${pass?.steps.size ?? 0} done`,
          ...some(counts.running, 'running'),
          ...some(counts.again, 'tried again'),
          ...some(counts.failed, 'failed'),
        ]
      : [state.passes.length === 0 ? 'looking at what is there' : 'looking whether anything is left'];
  const goesOn = state.doing === 'running' && state.stopping === undefined;
  const left = pass === undefined || !goesOn ? 0 : leftMs(pass, now);
  const times = `${lasting(runMs(state, now))}${left === 0 ? '' : `, about ${about(left)} left`}`;
  const text = `${name === undefined ? '' : `${name}: `}${parts.join(', ')}`;
  return spread([paint('cyan', spin(now)), text], times, canvas);
}

const some = (count: number, what: string): readonly string[] => (count === 0 ? [] : [`${count} ${what}`]);

function layerLine(layer: Layer, steps: readonly StepState[], canvas: Canvas): string {
  const { paint, now } = canvas;
  const counts = countPhases(steps);
  const over = counts.done === steps.length;
  const begun = steps.some(({ began }) => began !== undefined);
  const mark = over
    ? paint('green', '✓')
    : counts.failed > 0
      ? paint('red', '✗')
      : begun
        ? paint('cyan', spin(now))
        : paint('dim', '·');
  const text = `${layer.padEnd(13)} ${counts.done} of ${steps.length}`;
  return spread([`  ${mark}`, text], begun ? lasting(layerMs(steps, now)) : '', canvas);
}

/** From the first that began to the last that ended. */
function layerMs(steps: readonly StepState[], now: Date): number {
  let first = Infinity;
  let last = -Infinity;
  for (const { began, ended } of steps) {
    if (began === undefined) continue;
    first = Math.min(first, began.getTime());
    last = Math.max(last, (ended ?? now).getTime());
  }
  return first === Infinity ? 0 : last - first;
}

/** Steps that are in the same place, as one line; or how many found no room. */
type Detail = { readonly steps: readonly StepState[] } | { readonly hidden: number };

/** What of the layers is shown below them: failures first, then what is tried again, then what has run longest. */
function detailsOf(
  layers: readonly (readonly [Layer, readonly StepState[]])[],
  room: number,
): ReadonlyMap<Layer, readonly Detail[]> {
  const all = layers.flatMap(([layer, steps]) => gathered(steps).map((group) => ({ layer, group })));
  const ranked = all.toSorted((one, other) => rank(one.group) - rank(other.group));
  const cut = ranked.length > room;
  const shown = cut ? ranked.slice(0, Math.max(0, room - layers.length)) : ranked;
  const details = new Map<Layer, readonly Detail[]>();
  for (const [layer] of layers) {
    const mine = shown.filter((each) => each.layer === layer).map(({ group }) => ({ steps: group }));
    const hidden = count(all, layer) - mine.reduce((total, { steps }) => total + steps.length, 0);
    details.set(layer, hidden > 0 && room > 0 ? [...mine, { hidden }] : mine);
  }
  return details;
}

const count = (all: readonly { readonly layer: Layer; readonly group: readonly StepState[] }[], layer: Layer): number =>
  all.reduce((total, each) => total + (each.layer === layer ? each.group.length : 0), 0);

const ranks: Readonly<Record<StepState['phase'], number>> = {
  failed: 0,
  again: 1,
  running: 2,
  pending: 3,
  done: 3,
  skipped: 3,
};

const rank = ([first]: readonly StepState[]): number => ranks[first?.phase ?? 'done'];

/** From here on, machines at the same step are one line. */
const fold = 4;

function gathered(steps: readonly StepState[]): readonly (readonly StepState[])[] {
  const active = steps.filter(({ phase }) => phase === 'running' || phase === 'again' || phase === 'failed');
  const alike = new Map<string, StepState[]>();
  for (const step of active) {
    const key = `${step.phase} ${step.planned?.step.kind ?? step.id} ${step.problem?.message ?? ''}`;
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [step]);
    else others.push(step);
  }
  return [...alike.values()].flatMap((group) => (group.length < fold ? group.map((step) => [step]) : [group]));
}

function detailLine(detail: Detail, canvas: Canvas): string {
  const { paint, now } = canvas;
  if ('hidden' in detail) return spread(['     ', paint('dim', `and ${detail.hidden} more`)], '', canvas);
  const { steps } = detail;
  const oldest = steps.toSorted((one, other) => (one.began?.getTime() ?? 0) - (other.began?.getTime() ?? 0))[0];
  if (oldest === undefined) return '';
  const mark =
    oldest.phase === 'failed'
      ? paint('red', '✗')
      : oldest.phase === 'again'
        ? paint('yellow', '↻')
        : paint('cyan', spin(now));
  const machines = steps.flatMap(({ planned }) => planned?.machine ?? []);
  const what = briefly(oldest);
  const text =
    steps.length > 1
      ? `${steps.length} machines: ${standing(oldest, what, now)} (${foldNames(machines)})`
      : named(machines[0], standing(oldest, what, now));
  return spread([`    ${mark}`, text], lasting(elapsedMs(oldest, now)), canvas);
}

/** What it does, with what is waited for and since when, what comes next, or what went wrong. */
function standing({ phase, waits, problem, again, says }: StepState, what: string, now: Date): string {
  if (phase === 'failed') return `${what} · ${problem?.message ?? 'failed'}`;
  if (phase === 'again' && again !== undefined) {
    const inMs = again.at.getTime() + again.inMs - now.getTime();
    return `${what} · again in ${about(inMs)}: ${problem?.message ?? ''}`;
  }
  if (waits !== undefined) {
    const gate = `waits ${already(now.getTime() - waits.since.getTime())}for ${waits.for}${waits.because === '' ? '' : `: ${waits.because}`}`;
    return what.startsWith('wait until') ? gate : `${what} · ${gate}`;
  }
  return says === undefined ? what : `${what} · ${says}`;
}

/** Whole seconds that are over; nothing for who has just begun. */
const already = (ms: number): string => (ms < 1000 ? '' : `${about(Math.floor(ms / 1000) * 1000)} `);

/** A mark and plain words on the left, a time on the right, in one line that fits. */
function spread([mark, text]: readonly [string, string], time: string, { columns, paint }: Canvas): string {
  const markLength = plainLength(mark);
  const room = Math.max(1, columns - markLength - 1 - (time === '' ? 0 : time.length + 2));
  const oneLine = text.replaceAll(/\s*\n\s*/g, ' ');
  const kept = plainLength(oneLine) > room ? `${oneLine.slice(0, room - 1)}…` : oneLine;
  if (time === '') return `${mark} ${kept}`;
  if (columns < markLength + time.length + 6) return `${mark} ${oneLine}`.slice(0, columns);
  return `${mark} ${kept}${' '.repeat(room - plainLength(kept) + 2)}${paint('dim', time)}`;
}

const notice = (text: string, { columns, paint }: Canvas): string =>
  paint('yellow', text.length > columns ? `${text.slice(0, columns - 1)}…` : text);

type Edit = { readonly kind: ' ' | '-' | '+'; readonly text: string };

const context = 3;

/** A unified diff as Talos prints it: `--- a`, `+++ b`, three lines around each change; nothing when both are the same. */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return '';
  const edits = editsOf(linesOf(before), linesOf(after));
  const hunks = hunksOf(edits).map(([start, end]) => hunkText(edits, start, end));
  return `--- a\n+++ b\n${hunks.join('')}`;
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

const same = (text: string): Edit => ({ kind: ' ', text });
const gone = (text: string): Edit => ({ kind: '-', text });
const come = (text: string): Edit => ({ kind: '+', text });

/** Talos divides until both sides have fewer lines than this, or have been divided this often. */
const few = 10;
const deepest = 30;

/** Myers’ way with little memory: what both begin and end with, then on both sides of a piece in the middle that they share. */
function editsOf(a: readonly string[], b: readonly string[], depth = 0): readonly Edit[] {
  if (a.length === 0) return b.map(come);
  if (b.length === 0) return a.map(gone);
  if (depth >= deepest || (a.length < few && b.length < few)) return editsOfFew(a, b);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  if (start + end > 0) {
    const middle = editsOf(a.slice(start, a.length - end), b.slice(start, b.length - end), depth + 1);
    return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
  }
  const { x, y, length } = middleSnake(a, b);
  return [
    ...editsOf(a.slice(0, x), b.slice(0, y), depth + 1),
    ...a.slice(x, x + length).map(same),
    ...editsOf(a.slice(x + length), b.slice(y + length), depth + 1),
  ];
}

type Snake = { readonly x: number; readonly y: number; readonly length: number };

/** Walks from both ends at once, one edit more at a time, and answers the shared lines at which the two walks meet. */
function middleSnake(a: readonly string[], b: readonly string[]): Snake {
  const [n, m] = [a.length, b.length];
  if (n === 1 || m === 1) return firstShared(a, b);
  const delta = n - m;
  const forth = new Map([[0, 0]]);
  const back = new Map([[delta, n]]);
  for (let edits = 0; edits <= (n + m + 1) / 2; edits++) {
    for (let k = -edits; k <= edits; k += 2) {
      const steps = [
        ...(k > -edits ? reached(forth, k - 1, 1) : []),
        ...(k < edits ? reached(forth, k + 1, 0) : []),
        ...(edits === 0 ? [0] : []),
      ];
      const x = Math.min(Math.max(...steps), n);
      if (x < k || x - k > m) continue;
      let end = x;
      while (end < n && end - k < m && a[end] === b[end - k]) end += 1;
      forth.set(k, end);
      const met = delta % 2 !== 0 && Math.abs(k - delta) < edits && end >= (back.get(k) ?? Infinity);
      if (met) return { x, y: x - k, length: end - x };
    }
    for (let k = delta - edits; k <= delta + edits; k += 2) {
      const steps = [
        ...(k > delta - edits ? reached(back, k - 1, 0) : []),
        ...(k < delta + edits ? reached(back, k + 1, -1) : []),
      ];
      // Talos’ walk back takes its first step with the first edit.
      if (steps.length === 0) continue;
      const x = Math.max(Math.min(...steps), 0);
      if (x < k || x - k > m) continue;
      let begin = x;
      while (begin > 0 && begin - k > 0 && a[begin - 1] === b[begin - 1 - k]) begin -= 1;
      back.set(k, begin);
      const met = delta % 2 === 0 && Math.abs(k) <= edits && (forth.get(k) ?? -1) >= begin;
      if (met) return { x: begin, y: begin - k, length: x - begin };
    }
  }
  return nowhere;
}

const nowhere: Snake = { x: 0, y: 0, length: 0 };

function reached(diagonals: ReadonlyMap<number, number>, diagonal: number, step: number): readonly number[] {
  const x = diagonals.get(diagonal);
  return x === undefined ? [] : [x + step];
}

function firstShared(a: readonly string[], b: readonly string[]): Snake {
  for (const [x, line] of a.entries()) {
    const y = b.indexOf(line);
    if (y >= 0) return { x, y, length: 1 };
  }
  return nowhere;
}

/** By the longest common subsequence: what went comes before what came. */
function editsOfFew(a: readonly string[], b: readonly string[]): readonly Edit[] {
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      longest[i * width + j] = a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  const shared: [number, number][] = [];
  let [i, j] = [a.length, b.length];
  while (i > 0 && j > 0)
    if (a[i - 1] === b[j - 1]) shared.unshift([--i, --j]);
    else if (at(i - 1, j) > at(i, j - 1)) i -= 1;
    else j -= 1;
  const edits: Edit[] = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...shared, [a.length, b.length] as const]) {
    edits.push(...a.slice(x, nextX).map(gone), ...b.slice(y, nextY).map(come), ...a.slice(nextX, nextX + 1).map(same));
    [x, y] = [nextX + 1, nextY + 1];
  }
  return edits;
}
function hunksOf(edits: readonly Edit[]): readonly (readonly [start: number, end: number])[] {
  const hunks: [number, number][] = [];
  edits.forEach(({ kind }, at) => {
    if (kind === ' ') return;
    const [start, end] = [Math.max(0, at - context), Math.min(edits.length, at + context + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && start < last[1]) last[1] = end;
    else hunks.push([start, end]);
  });
  return hunks;
}

function hunkText(edits: readonly Edit[], start: number, end: number): string {
  const count = (from: number, to: number, without: string): number =>
    edits.slice(from, to).filter(({ kind }) => kind !== without).length;
  const range = (without: string): string => {
    const length = count(start, end, without);
    const first = count(0, start, without) + 1;
    return `${length === 0 ? first - 1 : first},${length}`;
  };
  const body = edits.slice(start, end).map(({ kind, text }) => `${kind}${text}\n`);
  return `@@ -${range('+')} +${range('-')} @@\n${body.join('')}`;
}

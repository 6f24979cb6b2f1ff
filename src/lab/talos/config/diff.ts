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

function editsOf(a: readonly string[], b: readonly string[]): readonly Edit[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (text: string): Edit => ({ kind: ' ', text });
  return [
    ...a.slice(0, start).map(same),
    ...middleEdits(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

/** By the longest common subsequence: what went comes before what came. */
function middleEdits(a: readonly string[], b: readonly string[]): readonly Edit[] {
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      longest[i * width + j] = a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  const edits: Edit[] = [];
  let [i, j] = [a.length, b.length];
  while (i > 0 || j > 0) {
    if (i > 0 && j > 0 && a[i - 1] === b[j - 1]) {
      edits.push({ kind: ' ', text: a[i - 1] ?? '' });
      i -= 1;
      j -= 1;
    } else if (i === 0 || (j > 0 && at(i, j - 1) >= at(i - 1, j))) {
      j -= 1;
      edits.push({ kind: '+', text: b[j] ?? '' });
    } else {
      i -= 1;
      edits.push({ kind: '-', text: a[i] ?? '' });
    }
  }
  return removalsFirst(edits.toReversed());
}

function removalsFirst(edits: readonly Edit[]): readonly Edit[] {
  const ordered: Edit[] = [];
  let changed: Edit[] = [];
  const flush = (): void => {
    ordered.push(...changed.filter(({ kind }) => kind === '-'), ...changed.filter(({ kind }) => kind === '+'));
    changed = [];
  };
  for (const edit of edits) {
    if (edit.kind !== ' ') changed.push(edit);
    else {
      flush();
      ordered.push(edit);
    }
  }
  flush();
  return ordered;
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

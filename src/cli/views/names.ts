/** Names as people say many of them: `general-0 … general-99 (100)`, where numbers follow each other. */
export function foldNames(names: readonly string[], shown = 3): string {
  const parts = runsOf(names).map(({ first, last, count }) =>
    count <= shown
      ? names.slice(names.indexOf(first), names.indexOf(first) + count).join(', ')
      : `${first} … ${last} (${count})`,
  );
  const most = 4;
  const others = parts.length - most;
  return others <= 0 ? parts.join(', ') : `${parts.slice(0, most).join(', ')} and others (${names.length} in all)`;
}

type Numbered = { readonly first: string; readonly last: string; readonly count: number };

/** Neighbours whose numbers follow each other. */
function runsOf(names: readonly string[]): readonly Numbered[] {
  const runs: Numbered[] = [];
  for (const name of names) {
    const run = runs.at(-1);
    if (run !== undefined && follows(run.last, name))
      runs[runs.length - 1] = { ...run, last: name, count: run.count + 1 };
    else runs.push({ first: name, last: name, count: 1 });
  }
  return runs;
}

function follows(before: string, name: string): boolean {
  const [, prefix, number] = /^(.*?)(\d+)$/.exec(before) ?? [];
  return prefix !== undefined && name === `${prefix}${Number(number) + 1}`;
}

/** A few names, and how many others: for lists of which the beginning is enough. */
export function someOf(names: readonly string[], most = 3): string {
  const others = names.length - most;
  return others <= 0 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${others} more`;
}

import type { Job, Pod } from './shapes.ts';

export const indexOf = ({ metadata }: Pod): number =>
  Number(metadata.annotations?.['batch.kubernetes.io/job-completion-index'] ?? -1);

/** Those that the status knows, and those of pods that have succeeded since. */
export function completedIndexes(job: Job, succeeded: readonly Pod[]): ReadonlySet<number> {
  const known = (job.status?.completedIndexes ?? '').split(',').filter(Boolean).flatMap(span);
  return new Set([...known, ...succeeded.map(indexOf)]);
}

function span(text: string): readonly number[] {
  const [from = 0, to = from] = text.split('-').map(Number);
  return Array.from({ length: to - from + 1 }, (_, each) => from + each);
}

/** `0,2-4` */
export function indexesText(indexes: ReadonlySet<number>): string {
  const spans: [number, number][] = [];
  for (const index of [...indexes].toSorted((one, other) => one - other)) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else spans.push([index, index]);
  }
  return spans
    .map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from},${to}` : `${from}-${to}`))
    .join(',');
}

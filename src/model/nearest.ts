/** The candidate a person most likely meant, if any is near enough to be worth saying. */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  const from = written.toLowerCase();
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(from, candidate.toLowerCase());
    if (best === undefined || distance < best.distance) best = { candidate, distance };
  }
  const allowed = Math.max(1, Math.floor(written.length / 3));
  return best !== undefined && best.distance <= allowed ? best.candidate : undefined;
}

/** Insertions, deletions, substitutions and swaps of neighbours, each counting one. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 16 || a.length > 64) return Infinity;
  let previous: number[] = [];
  let current = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (current[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(substitution, (current[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (previous[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    previous = current;
    current = next;
  }
  return current[b.length] ?? 0;
}

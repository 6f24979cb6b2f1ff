/** One thing that a person would look at. */
export type Check = {
  /** nodes, etcd, certificates … */
  readonly about: string;
  /** As a sentence that is true when it is fine. */
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What was found; why it is not fine. */
  readonly why: string;
  /** What to type; empty where it is fine. */
  readonly remedy: string;
};

export const ok = (about: string, what: string, why = ''): Check => ({ about, what, state: 'ok', why, remedy: '' });

export const skipped = (about: string, what: string, why: string): Check => ({
  about,
  what,
  state: 'skipped',
  why,
  remedy: '',
});

/** What is to hold of all is fine only where all were seen: whoever says nothing is no proof, and no failure either. */
export function ofAll(all: readonly Seen[], nobody: string, found: Check): Check {
  const silent = all.filter(({ seen }) => !seen).map(({ name }) => name);
  if (found.state !== 'ok' || silent.length === 0) return found;
  const few = `${silent.join(', ')} ${silent.length === 1 ? 'does' : 'do'} not say`;
  return skipped(found.about, found.what, silent.length === all.length ? nobody : few);
}

type Seen = { readonly name: string; readonly seen: boolean };

/** Fine where nothing speaks against it. */
export const unless = (
  about: string,
  what: string,
  against: readonly string[],
  remedy: string,
  state: 'failed' | 'warning' = 'failed',
): Check => (against.length === 0 ? ok(about, what) : { about, what, state, why: against.join('; '), remedy });

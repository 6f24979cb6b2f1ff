import { nearest } from '../../model/nearest.ts';
import { Problem } from '../../model/problem.ts';
import { formatPath, parsePath, type Path } from '../../spec/tree.ts';
import { configDiff } from '../config/diff.ts';
import type { Patched } from './patch.ts';
import { ownerOf } from './provenance.ts';

/** A value of a configuration, and who decided it. */
export type Explained = {
  readonly path: string;
  /** Secrets are masked. */
  readonly value: string;
  readonly because: string;
  /** Whether a change of it makes the node reboot. */
  readonly reboot: boolean;
};

/** Everything at or below a path such as `machine.kubelet` or `LinkConfig.eth0`; an empty path is the whole of it. */
export function explainConfig(patched: Patched, path: string): readonly Explained[] {
  const all = configDiff([], patched.config);
  const asked = path === '' ? [] : parsePath(path);
  const found = asked === undefined ? [] : all.filter((value) => isBelow(parsePath(value.path) ?? [], asked));
  if (found.length === 0)
    throw unknownPath(
      path,
      all.map((value) => value.path),
    );
  return found.map(({ path: place, after, reboot }) => ({
    path: place,
    value: after ?? '',
    because: ownerOf(patched.provenance, parsePath(place) ?? []) ?? 'nobody knows',
    reboot,
  }));
}

const isBelow = (path: Path, asked: Path): boolean =>
  asked.every((step, index) => String(path[index]) === String(step));

function unknownPath(path: string, known: readonly string[]): Problem {
  const parts = new Set(known.flatMap((place) => prefixesOf(parsePath(place) ?? [])));
  const meant = nearest(path, parts);
  return new Problem('unknown-path', `There is no ${path} in this configuration.`, {
    path,
    remedy: meant === undefined ? 'Ask for machine or cluster to see what is there.' : `Did you mean ${meant}?`,
  });
}

const prefixesOf = (path: Path): readonly string[] => path.map((_, index) => formatPath(path.slice(0, index + 1)));

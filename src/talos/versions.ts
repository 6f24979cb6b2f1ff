import { Problem } from '../model/problem.ts';
import { supportsKubernetes, talosRelease, talosReleases } from '../model/talos-releases.ts';
import { compareVersions, formatVersion, parseVersion, type Version } from '../model/version.ts';

/** One upgrade of a machine. */
export type Hop = {
  readonly from: string;
  readonly to: string;
  /** Only prepared, and done at the next boot. */
  readonly staged: boolean;
  /** By what the running version offers: one call that ends in a reboot, or separate steps from 1.13 on. */
  readonly way: 'legacy' | 'lifecycle';
};

/** Patches that are known, newest of each minor; whoever can ask a factory knows more. */
const knownPatches: readonly string[] = Object.values(talosReleases).map(({ patch }) => patch);

/**
 * The way from one version to another: the newest patch of each minor on the way, one minor at a time. Down goes in one
 * step, as far as the older version accepts the newer one's disk. Throws a Problem where there is no way.
 */
export function upgradePath(from: string, to: string, available: readonly string[] = knownPatches): readonly Hop[] {
  const [start, end] = [versionOf(from), versionOf(to)];
  const stops = compareVersions(start, end) > 0 ? [end] : stopsBetween(start, end, available);
  let at = start;
  return stops.map((stop) => {
    const hop = hopOf(at, stop);
    at = stop;
    return hop;
  });
}

function stopsBetween(start: Version, end: Version, available: readonly string[]): readonly Version[] {
  const patches = available.flatMap((text) => parseVersion(text) ?? []).filter(({ pre }) => pre === '');
  const stops: Version[] = [];
  for (let minor = start.minor; minor < end.minor; minor++) {
    const newest = patches
      .filter((patch) => patch.major === start.major && patch.minor === minor)
      .toSorted(compareVersions)
      .at(-1);
    if (newest !== undefined && compareVersions(newest, start) > 0) stops.push(newest);
  }
  return compareVersions(start, end) === 0 ? [] : [...stops, end];
}

function hopOf(from: Version, to: Version): Hop {
  if (!accepts(to, from)) throw noWay(from, to);
  return {
    from: formatVersion(from),
    to: formatVersion(to),
    staged: mustBeStaged(from),
    way: hasLifecycle(from) ? 'lifecycle' : 'legacy',
  };
}

/** Whether the installer of one version runs on a machine that runs the other. */
export function accepts(installer: Version, running: Version): boolean {
  const [oldest, below] = (talosRelease(installer)?.hosts ?? []).map(versionOf);
  if (oldest === undefined || below === undefined) return false;
  const released = { ...running, pre: '' };
  return compareVersions(released, oldest) >= 0 && compareVersions(released, below) < 0;
}

/** 1.9.0 to 1.9.2 wait for ever for a drain that they never learn the end of, unless the upgrade is staged. */
export const mustBeStaged = ({ major, minor, patch }: Version): boolean => major === 1 && minor === 9 && patch <= 2;

/** Pull, install and reboot are separate calls from 1.13 on. */
const hasLifecycle = ({ major, minor }: Version): boolean => major > 1 || minor >= 13;

function versionOf(text: string): Version {
  const version = parseVersion(text);
  if (version !== undefined) return version;
  throw new Problem('talos-version', `"${text.slice(0, 40)}" is not a version of Talos.`, {
    remedy: 'Write it as v1.13.9.',
  });
}

function noWay(from: Version, to: Version): Problem {
  const hosts = talosRelease(to)?.hosts;
  const [oldest, below] = hosts ?? [];
  const minors = Object.keys(talosReleases);
  const remedy =
    hosts === undefined
      ? `ichor knows Talos ${minors.at(0)} to ${minors.at(-1)}.`
      : `It goes over ${oldest} and later, below ${below}.`;
  return new Problem(
    'talos-upgrade-path',
    `Talos ${formatVersion(to)} cannot be installed over ${formatVersion(from)}.`,
    {
      remedy,
    },
  );
}

/** Minors from which every configuration has something that older ones do not know. */
const newForms: readonly number[] = [12, 14];

/** Why a machine in maintenance mode would refuse the configuration of another version; undefined: nothing is known. */
export function whyNotUnderstood(running: string, wanted: string, kubernetes: string): string | undefined {
  const [now, then, cluster] = [running, wanted, kubernetes].map(parseVersion);
  const release = now && talosRelease(now);
  if (now === undefined || then === undefined || now.major !== then.major || now.minor >= then.minor) return undefined;
  if (newForms.some((minor) => now.minor < minor && minor <= then.minor))
    return 'an older Talos does not know all that a newer one is configured with';
  if (release !== undefined && cluster !== undefined && !supportsKubernetes(release, cluster))
    return `it refuses Kubernetes ${kubernetes}`;
  return undefined;
}

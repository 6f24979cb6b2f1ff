export type Version = { readonly major: number; readonly minor: number; readonly patch: number; readonly pre: string };

const form = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]{1,64}))?$/;

/** "v1.13.9", "1.35.2" or "v1.14.0-rc.1"; undefined for anything else. */
export function parseVersion(text: string): Version | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  const [, major, minor, patch, pre] = match;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), pre: pre ?? '' };
}

export const minorOf = (version: Version): string => `${version.major}.${version.minor}`;

export const formatVersion = (version: Version): string =>
  `v${version.major}.${version.minor}.${version.patch}${version.pre === '' ? '' : `-${version.pre}`}`;

/** Below zero when the first is older. A version before its release is older than the release. */
export const compareVersions = (a: Version, b: Version): number =>
  a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePre(a.pre, b.pre);

const comparePre = (a: string, b: string): number =>
  a === '' || b === '' ? Number(a === '') - Number(b === '') : a.localeCompare(b, 'en', { numeric: true });

/** What `/version` says of `v1.36.3`. */
export function versionDocument(version: string): object {
  const [, major = '1', minor = '0'] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: version,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '2026-01-01T00:00:00Z',
    goVersion: 'go1.26.0',
    compiler: 'gc',
    platform: 'linux/amd64',
  };
}

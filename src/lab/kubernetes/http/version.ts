import type { Store } from '../store/store.ts';

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
    gitCommit: '0'.repeat(40),
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'go1.26.0',
    compiler: 'gc',
    platform: 'linux/amd64',
  };
}

/** Enough for whoever counts objects. */
export function metricsText(store: Store): string {
  const name = 'apiserver_resource_objects';
  const lines = [...store.resources()].map((key) => {
    const [group = '', resource = ''] = key.split('/');
    return `${name}{group="${group}",resource="${resource}"} ${store.list(key).length}\n`;
  });
  return `# HELP ${name} [ALPHA] Number of stored objects.\n# TYPE ${name} gauge\n${lines.sort().join('')}`;
}

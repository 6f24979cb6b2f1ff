import { compareVersions, parseVersion, type Version } from '../../model/version.ts';

/** What changed from one Cilium to the next and matters to us. */
type Facts = {
  /** Version of the API of pools and of BGP. */
  readonly api: 'cilium.io/v2' | 'cilium.io/v2alpha1';
  /** The agent's capabilities, as its chart has them, without SYS_MODULE: Talos gives that to nobody. */
  readonly agent: readonly string[];
};

const agent: readonly string[] = [
  'CHOWN',
  'KILL',
  'NET_ADMIN',
  'NET_RAW',
  'IPC_LOCK',
  'SYS_ADMIN',
  'SYS_RESOURCE',
  'DAC_OVERRIDE',
  'FOWNER',
  'SETGID',
  'SETUID',
];

/** The newest first. */
const since: readonly (readonly [from: Version, facts: Facts])[] = [
  [
    { major: 1, minor: 19, patch: 0, pre: '' },
    { api: 'cilium.io/v2', agent: [...agent, 'SYSLOG'] },
  ],
  [
    { major: 1, minor: 18, patch: 0, pre: '' },
    { api: 'cilium.io/v2', agent },
  ],
];
const before: Facts = { api: 'cilium.io/v2alpha1', agent };

export function ciliumFacts(written: string): Facts {
  const version = parseVersion(written);
  if (version === undefined) return before;
  // A version before its release has what the release has.
  const released = { ...version, pre: '' };
  return since.find(([from]) => compareVersions(released, from) >= 0)?.[1] ?? before;
}

/** For the init container that cleans up; without SYS_MODULE too. */
export const cleanerCapabilities: readonly string[] = ['NET_ADMIN', 'SYS_ADMIN', 'SYS_RESOURCE'];

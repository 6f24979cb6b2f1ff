import type { Recovery } from '../../../model/problem.ts';
import type { Fate } from './problem.ts';

/** Who asked for what, as the sentences have it. */
export type Asked = {
  /** `create VM 401 on pve1` */
  readonly doing: string;
  /** `automation@pve!ichor`, or `automation@pve` with a password. */
  readonly who: string;
  /** Host that the request is for; undefined: the cluster. */
  readonly host: string | undefined;
  readonly vmid: number | undefined;
  /** The right that it takes, for hosts that only say that one is missing. */
  readonly needs?: Right | undefined;
};

export type Right = { readonly path: string; readonly privilege: string };

/** What a text of a host means. The first row that fits counts. */
export type Refusal = {
  readonly words: RegExp;
  readonly status?: number;
  readonly code: string;
  readonly recovery: Recovery;
  readonly fate?: Fate;
  readonly passing?: true;
  /** What to say instead of repeating the host’s words. */
  readonly message?: (found: Found, asked: Asked) => string;
  readonly remedy: (found: Found, asked: Asked) => string;
};

/** The groups of the expression; absent ones are empty. */
export type Found = (group: number) => string;

const on = ({ host }: Asked): string => host ?? 'HOST';
const vm = ({ vmid }: Asked): string => String(vmid ?? 'VMID');
const nothing = (): string => '';

export const refusals: readonly Refusal[] = [
  {
    words: /no quorum|cluster not ready|'\/etc\/pve\/[^']*'.* Permission denied/,
    code: 'proxmox-no-quorum',
    recovery: 'wait',
    message: (_, asked) =>
      `Proxmox refused to ${asked.doing}: the cluster has lost its quorum and takes no changes until it is back.`,
    remedy: (_, asked) => `Look which hosts see each other:\n    ssh root@${on(asked)} pvecm status`,
  },
  {
    words: /can't lock file|got lock request timeout|cfs-lock '[^']*' error|trying to acquire/,
    code: 'proxmox-busy',
    recovery: 'retry',
    passing: true,
    remedy: (_, asked) =>
      `Something else is being done there; look what:\n    ssh root@${on(asked)} pvenode task list --source active`,
  },
  {
    words: /got no worker upid/,
    code: 'proxmox-no-worker',
    recovery: 'retry',
    fate: 'unknown',
    passing: true,
    remedy: (_, asked) =>
      `The host has more to do than it can; look what:\n    ssh root@${on(asked)} pvenode task list --source active`,
  },
  {
    words: /q(?:mp|ga) command '[^']*' failed - got timeout|qmp socket - timeout/,
    code: 'proxmox-slow',
    recovery: 'retry',
    passing: true,
    remedy: (_, asked) => `The VM does not answer its host; look how busy that is:\n    ssh root@${on(asked)} uptime`,
  },
  {
    // Of whatever a host runs for a request; it may go on after the answer.
    words: /^got timeout$|command '[^']*' failed: got timeout/,
    code: 'proxmox-slow',
    recovery: 'retry',
    fate: 'unknown',
    remedy: (_, asked) =>
      `The host did not get it done in time; look how busy it is:\n    ssh root@${on(asked)} uptime`,
  },
  {
    words: /VM is locked \(([\w-]+)\)/,
    code: 'proxmox-locked',
    recovery: 'wait',
    passing: true,
    message: (found, asked) =>
      `Proxmox refused to ${asked.doing}: the VM is locked, because somebody is busy with it (${found(1)}).`,
    remedy: (found, asked) =>
      `Wait for the end of “${found(1)}”. If nothing of that kind runs any more, root can remove the lock that was left behind:\n    ssh root@${on(asked)} qm unlock ${vm(asked)}`,
  },
  {
    words: /VM \d+ already exists|config file already exists/,
    code: 'proxmox-exists',
    recovery: 'retry',
    remedy: (_, asked) => `Look what it is:\n    ssh root@${on(asked)} cat /etc/pve/.vmlist`,
  },
  {
    words: /Configuration file '[^']*' does not exist|unable to find configuration file/,
    code: 'proxmox-no-vm',
    recovery: 'retry',
    remedy: (_, asked) => `Look whether it is somewhere else:\n    ssh root@${on(asked)} cat /etc/pve/.vmlist`,
  },
  {
    words: /hostname lookup '([^']*)' failed|no such cluster node '([^']*)'|non-existent node\(s\) (\S+)/,
    code: 'proxmox-no-host',
    recovery: 'ask',
    message: (found, asked) =>
      `Proxmox refused to ${asked.doing}: there is no host “${found(1) || found(2) || found(3)}” in this cluster.`,
    remedy: (_found, _asked) => 'Correct machines.proxmox.hosts; the hosts are listed by:\n    pvecm nodes',
  },
  {
    words: /storage '([^']*)' does not exist|^No such storage\.$/,
    code: 'proxmox-no-storage',
    recovery: 'ask',
    remedy: (_, asked) =>
      `Correct the datastore in the file; what there is, is listed by:\n    ssh root@${on(asked)} pvesm status`,
  },
  {
    words: /storage '([^']*)' (?:is not configured for content-type|does not support) '?(vm images|\w+)/,
    code: 'proxmox-storage-content',
    recovery: 'ask',
    remedy: (found, asked) =>
      `Allow that content on the datastore, beside what it has (pvesm set replaces the list), or name another one:\n    ssh root@${on(asked)} pvesm set ${found(1)} --content ${found(2) === 'vm images' ? 'images' : found(2)}`,
  },
  {
    words: /bridge '([^']*)' does not exist/,
    code: 'proxmox-no-bridge',
    recovery: 'ask',
    remedy: (_, asked) =>
      `Correct machines.proxmox.bridge, or make the bridge on the host:\n    ssh root@${on(asked)} ip -br link show type bridge`,
  },
  {
    words: /pool '([^']*)' does not exist/,
    code: 'proxmox-no-pool',
    recovery: 'ask',
    remedy: (found, asked) =>
      `Make it, or take machines.proxmox.pool out of the file:\n    ssh root@${on(asked)} pveum pool add ${found(1)}`,
  },
  {
    words:
      /no space left|not enough (?:free )?space|out of (?:data )?space|insufficient (?:free )?(?:space|extents)|disk quota exceeded/i,
    code: 'proxmox-storage-full',
    recovery: 'ask',
    remedy: (_, asked) => `Make room on the datastore, or name another one:\n    ssh root@${on(asked)} pvesm status`,
  },
  {
    words: /checksum mismatch \(file change|detected modified configuration/,
    code: 'proxmox-changed',
    recovery: 'retry',
    passing: true,
    remedy: () => 'Somebody else changed it at the same moment; look again.',
  },
  {
    words: /checksum mismatch: got '([^']*)'/,
    code: 'proxmox-image-checksum',
    recovery: 'ask',
    remedy: (found) =>
      `The file is not the one that cluster.talos.image.checksum names; it has ${found(1)}. Delete a wrong one, or correct the checksum.`,
  },
  {
    words: /refusing to override existing file/,
    code: 'proxmox-file-exists',
    recovery: 'retry',
    remedy: nothing,
  },
  {
    words: /download failed|invalid server response|failed to verify file|Can't connect to/,
    code: 'proxmox-download',
    recovery: 'ask',
    remedy: (_, asked) =>
      `Let the host reach the image, or let this machine bring it: cluster.talos.image.download: here.\n    ssh root@${on(asked)} curl -sSI URL`,
  },
  {
    words: /volume '([^']*)' does not exist|failed to stat '([^']*)'|volume_size_info on '([^']*)' failed/,
    code: 'proxmox-no-volume',
    recovery: 'ask',
    remedy: (_, asked) => `Look what is on the datastore:\n    ssh root@${on(asked)} pvesm list STORAGE`,
  },
  {
    words: /protection mode enabled/,
    code: 'proxmox-protected',
    recovery: 'ask',
    message: (_, asked) => `Proxmox refused to ${asked.doing}: somebody has protected the VM against removal.`,
    remedy: (_, asked) => `If it may go all the same:\n    ssh root@${on(asked)} qm set ${vm(asked)} --protection 0`,
  },
  { words: /is running - destroy failed/, code: 'proxmox-running', recovery: 'retry', remedy: nothing },
  { words: /VM \d+ already running/, code: 'proxmox-already-running', recovery: 'retry', remedy: nothing },
  {
    words: /VM \d+ (?:is )?not running/,
    code: 'proxmox-not-running',
    recovery: 'ask',
    remedy: (_, asked) => `Look why it is off:\n    ssh root@${on(asked)} qm status ${vm(asked)} --verbose`,
  },
  {
    words: /MAX (\d+) vcpus allowed/,
    code: 'proxmox-too-many-cpus',
    recovery: 'ask',
    message: (found, asked) =>
      `Proxmox refused to ${asked.doing}: the host has ${found(1)} processors, and a VM may not have more than its host.`,
    remedy: () => 'Give the machine fewer processors, or another host:\n    ichor place',
  },
  {
    words: /start failed|Cannot allocate memory/,
    code: 'proxmox-start-failed',
    recovery: 'ask',
    remedy: (_, asked) =>
      `Look at the command that the host gives, and run it there:\n    ssh root@${on(asked)} qm showcmd ${vm(asked)} --pretty`,
  },
  {
    words: /only root (?:can|may)/i,
    code: 'proxmox-root-only',
    recovery: 'ask',
    remedy: () => 'Only root@pam itself may do this, not even one of its tokens.',
  },
  {
    words: /hotplug problem - ([^;]*)/,
    code: 'proxmox-hotplug',
    recovery: 'ask',
    message: (found, asked) => `Proxmox refused to ${asked.doing} while it runs: ${found(1)}`,
    remedy: (_, asked) =>
      `Look what waits for the next cold start, then correct or take it back:\n    ssh root@${on(asked)} qm pending ${vm(asked)}`,
  },
  {
    words: /shrinking disks is not supported/,
    code: 'proxmox-shrink',
    recovery: 'ask',
    remedy: () => 'Disks only grow. Ask for at least the size that it has now, or delete the machine and make it anew.',
  },
  {
    words: /Rule '([^']*)' is invalid|cannot use unmanaged resource/,
    code: 'proxmox-ha-rule',
    recovery: 'wait',
    remedy: (_, asked) => `Look what the HA manager knows:\n    ssh root@${on(asked)} ha-manager status`,
  },
  { words: /ha groups have been migrated to rules/, code: 'proxmox-ha-rules-now', recovery: 'retry', remedy: nothing },
  {
    words: /no such resource|not HA managed|no such ha rule|already defined/,
    code: 'proxmox-ha-state',
    recovery: 'retry',
    remedy: nothing,
  },
  { words: /guest agent|No QEMU/, code: 'proxmox-agent', recovery: 'wait', remedy: nothing },
  { words: /^no such task$/, code: 'proxmox-no-task', recovery: 'retry', remedy: nothing },
  {
    words:
      /authentication failure|permission denied - invalid|Authentication failed|no such (?:user|token)|invalid token|access expired|No ticket/i,
    status: 401,
    code: 'proxmox-unauthorized',
    recovery: 'ask',
    message: (_, { who }) => `Proxmox does not accept ${who.includes('!') ? 'the token' : 'the login'} ${who}.`,
    remedy: (_, { who }) =>
      who.includes('!')
        ? `Look whether the token exists and has not expired, or make a new one:\n    pveum user token list ${who.split('!')[0]}`
        : `Look whether the user exists, is enabled and has this password:\n    pveum user list`,
  },
  {
    words: /not available with API token/,
    code: 'proxmox-needs-login',
    recovery: 'ask',
    remedy: () => 'Use machines.proxmox.login instead of a token.',
  },
  {
    words: /not implemented|not available$/,
    status: 501,
    code: 'proxmox-too-old',
    recovery: 'ask',
    remedy: () => 'This version of Proxmox VE does not know the call; ichor works with 8.0 and later:\n    pveversion',
  },
];

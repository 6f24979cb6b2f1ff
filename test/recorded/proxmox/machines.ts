import { startProxmoxLab } from '../../../src/lab/proxmox/lab.ts';
import type { ProxmoxLab, StorageOptions } from '../../../src/lab/proxmox/twin.ts';
import { replayClock } from './clock.ts';
import type { ReplayClock } from './clock.ts';
import { Credentials } from './credentials.ts';
import { linuxGuests } from './guest.ts';
import { Memory } from './memory.ts';
import { exchange } from '../../lab/exchange.ts';
import type { MachineName } from './rows.ts';
import { agentIso, uploadType } from './uploads.ts';

/** A recorded machine, set up as it was before the first row. */
export interface Machine extends AsyncDisposable {
  readonly lab: ProxmoxLab;
  readonly clock: ReplayClock;
  readonly startedAt: Date;
  readonly memory: Memory;
  readonly credentials: Credentials;
}

/** So fast that waiting is short, and so slow that a task can be seen at work. */
export const usualSpeed = 10;

/** How often hosts tell each other about their guests: so rarely that rows in between find what is not told yet. */
export const tellingMs = 60_000;

const storages: readonly StorageOptions[] = [
  {
    id: 'local',
    type: 'dir',
    content: ['iso', 'vztmpl', 'import', 'backup', 'snippets'],
    totalGiB: 252,
    path: '/var/lib/vz',
  },
  { id: 'local-lvm', type: 'dir', content: ['rootdir', 'images'], totalGiB: 252, path: '/var/lib/vz2' },
];

/** The two hosts had a folder that both could see. */
const shared: StorageOptions = { id: 'shared', type: 'dir', content: ['images'], shared: true, totalGiB: 252 };

const hardware = { cpus: 2, memoryMiB: 24_104 };

export async function startMachine(name: MachineName): Promise<Machine> {
  const clock = replayClock(usualSpeed);
  const startedAt = clock.now();
  const lab = await startProxmoxLab({
    clock,
    addresses: 'mapped',
    // On the host that was alone nobody managed high availability.
    durations: { statistics: tellingMs, ...(name === 'one' ? { haRound: 1e9 } : {}) },
    guests: linuxGuests(() => clock.now()),
    storages: name === 'one' ? storages : [...storages, shared],
    hosts:
      name === 'one'
        ? [{ name: 'pve1', ...hardware }]
        : [
            { name: 'pve-a', ...hardware },
            { name: 'pve-b', ...hardware },
          ],
    clusterName: 'lab',
  });
  const memory = new Memory();
  const token = lab.token(name === 'one' ? 'harness' : 'cl');
  const [, secret = ''] = token.split('=');
  memory.secrets.set(name === 'one' ? 'root@pam!harness' : 'root@pam!cl', secret);
  for (const host of lab.endpoints.keys()) await bringMedium(lab, host, `PVEAPIToken=${token}`);
  return {
    lab,
    clock,
    startedAt,
    memory,
    credentials: new Credentials(lab, memory, () => clock.now()),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

async function bringMedium(lab: ProxmoxLab, host: string, authorization: string): Promise<void> {
  const body = agentIso();
  const head = [
    `POST /api2/json/nodes/${host}/storage/local/upload HTTP/1.1`,
    'Host: lab',
    'Connection: close',
    `Authorization: ${authorization}`,
    `Content-Type: ${uploadType}`,
    `Content-Length: ${body.length}`,
    '',
    '',
  ];
  await exchange(lab.endpoints.get(host) ?? '', lab.ca, Buffer.concat([Buffer.from(head.join('\r\n')), body]));
}

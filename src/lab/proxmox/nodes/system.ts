import { createHash } from 'node:crypto';
import { answer, type Call, type Routes } from '../call.ts';
import type { Host } from '../host.ts';
import { died, wrongParameters } from '../refusal.ts';

/** Files of a host’s own system that the API shows and writes. */
export type HostSystem = {
  timezone: string;
  /** resolv.conf: search, dns1, dns2, dns3. */
  readonly resolver: Map<string, string>;
  /** /etc/hosts */
  hosts: string;
  /** How far its clock is ahead of everybody else’s. */
  readonly clockAheadMs: number;
};

export const newSystem = (name: string, address: string, clockAheadMs: number): HostSystem => ({
  timezone: 'Etc/UTC',
  resolver: new Map([
    ['search', 'lab.internal'],
    ['dns1', address.replace(/\.\d+$/, '.1')],
  ]),
  hosts: `127.0.0.1 localhost.localdomain localhost\n${address} ${name}.lab.internal ${name}\n`,
  clockAheadMs,
});

/** The time of a host as its clients have it: they know nothing of how fast the lab’s clock runs. */
export const hostNow = ({ system }: Host): Date => new Date(Date.now() + system.clockAheadMs);

const digestOf = (text: string): string => createHash('sha1').update(text).digest('hex');

/** Seconds that the clock on the wall of a place is ahead of UTC; undefined: there is no such place. */
function offsetSeconds(timezone: string, now: Date): number | undefined {
  try {
    const options = { timeZone: timezone, timeZoneName: 'longOffset' } as const;
    const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(now);
    const [, sign, hours, minutes] =
      /GMT(?:([+-])(\d\d):(\d\d))?/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60);
  } catch {
    return undefined;
  }
}

const readTime = ({ host }: Call) => {
  const time = Math.floor(hostNow(host).getTime() / 1000);
  const { timezone } = host.system;
  return answer({ timezone, time, localtime: time + (offsetSeconds(timezone, new Date()) ?? 0) });
};

const setTime = (call: Call) => {
  const timezone = call.text('timezone') ?? '';
  if (offsetSeconds(timezone, new Date()) === undefined) throw wrongParameters({ timezone: 'No such timezone' });
  call.host.system.timezone = timezone;
  return answer(null);
};

/** All of it is written anew: a server that is not given is gone. */
const setResolver = (call: Call) => {
  const { resolver } = call.host.system;
  resolver.clear();
  for (const name of ['search', 'dns1', 'dns2', 'dns3']) {
    const value = call.text(name);
    if (value !== undefined) resolver.set(name, value);
  }
  return answer(null);
};

const readHosts = ({ host: { system } }: Call) => answer({ data: system.hosts, digest: digestOf(system.hosts) });

const writeHosts = (call: Call) => {
  const { system } = call.host;
  const digest = call.text('digest');
  if (digest !== undefined && digest !== digestOf(system.hosts))
    throw died('detected modified configuration - file changed by other user? Try again.');
  const data = call.text('data') ?? '';
  system.hosts = data.endsWith('\n') ? data : `${data}\n`;
  return answer(null);
};

export const systemRoutes: Routes = {
  'GET /nodes/{node}/time': readTime,
  'PUT /nodes/{node}/time': setTime,
  'GET /nodes/{node}/dns': ({ host }) => answer(Object.fromEntries(host.system.resolver)),
  'PUT /nodes/{node}/dns': setResolver,
  'GET /nodes/{node}/hosts': readHosts,
  'POST /nodes/{node}/hosts': writeHosts,
};

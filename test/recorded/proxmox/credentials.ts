import type { ProxmoxLab } from '../../../src/lab/proxmox/twin.ts';
import { exchange } from '../../lab/exchange.ts';
import type { Memory } from './memory.ts';

type Ticket = { readonly ticket: string; readonly csrf: string; readonly at: number };

/** Turns what the recording says about who asked into headers. */
export class Credentials {
  readonly #lab: ProxmoxLab;
  readonly #memory: Memory;
  readonly #now: () => Date;
  #ticket: Ticket | undefined;

  constructor(lab: ProxmoxLab, memory: Memory, now: () => Date) {
    this.#lab = lab;
    this.#memory = memory;
    this.#now = now;
  }

  async headersOf(auth: string, note: string): Promise<readonly (readonly [string, string])[]> {
    const separator = note.includes('space separator') ? ' ' : '=';
    const token = (text: string): readonly (readonly [string, string])[] => [
      ['Authorization', `PVEAPIToken${separator}${text}`],
    ];
    switch (auth) {
      case 'none':
        return [];
      case 'token wrong secret':
        return token('root@pam!full=00000000-0000-0000-0000-000000000000');
      case 'token unknown id':
        return token('root@pam!nobody=00000000-0000-0000-0000-000000000000');
      case 'token unknown user':
        return token('nobody@pve!full=00000000-0000-0000-0000-000000000000');
      case 'token malformed':
        return token('garbage');
      case 'Bearer':
        return [['Authorization', 'Bearer abc']];
      case 'garbage cookie':
        return [['Cookie', 'PVEAuthCookie=garbage']];
      case 'garbage ticket':
        return [['Cookie', 'PVEAuthCookie=PVE%3Aroot%40pam%3A6AFA0000%3A%3AAAAA']];
    }
    const known = /^token (\S+?)(?: via \S+)?$/.exec(auth)?.[1] ?? (auth === 'c' ? 'root@pam!cl' : undefined);
    if (known !== undefined) return token(`${known}=${this.#memory.secrets.get(known) ?? 'unknown'}`);
    const { ticket, csrf } = await this.ticket();
    const encoded = encodeURIComponent(ticket);
    if (auth === 'ticket in Authorization header') return [['Authorization', `PVEAuthCookie=${encoded}`]];
    const cookie = ['Cookie', `PVEAuthCookie=${encoded}`] as const;
    switch (auth) {
      case 'ticket no csrf':
        return [cookie];
      case 'ticket bad csrf':
        return [cookie, ['CSRFPreventionToken', `${csrf.slice(0, 9)}AAAA${csrf.slice(13)}`]];
      case 'ticket garbage csrf':
        return [cookie, ['CSRFPreventionToken', 'garbage']];
      default:
        return [cookie, ['CSRFPreventionToken', csrf]];
    }
  }

  /** Of root, and never old. */
  async ticket(): Promise<Ticket> {
    const now = this.#now().getTime();
    if (this.#ticket !== undefined && now - this.#ticket.at < 1_800_000) return this.#ticket;
    const { username, password } = this.#lab.password;
    const body = new URLSearchParams({ username, password }).toString();
    const [endpoint = ''] = this.#lab.endpoints.values();
    const answer = await exchange(
      endpoint,
      this.#lab.ca,
      Buffer.from(
        `POST /api2/json/access/ticket HTTP/1.1\r\nHost: lab\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ),
    );
    const { data } = JSON.parse(answer.body) as { data: { ticket: string; CSRFPreventionToken: string } };
    this.#ticket = { ticket: data.ticket, csrf: data.CSRFPreventionToken, at: now };
    return this.#ticket;
  }
}

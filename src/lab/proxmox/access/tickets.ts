import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LabClock } from '../../clock.ts';

const lifeSeconds = 2 * 3600;
const graceSeconds = 5 * 60;

/** What somebody shows instead of a password, and what proves that a page of ours sent the request. */
export interface Tickets {
  issue(userid: string): { readonly ticket: string; readonly csrf: string };
  /** Whose it is; undefined: nobody’s any more, or it never was one. */
  holder(ticket: string): string | undefined;
  isCsrf(userid: string, token: string): boolean;
}

export function createTickets(clock: LabClock): Tickets {
  const secret = randomBytes(32);
  const signed = (text: string): string => createHmac('sha512', secret).update(text).digest('base64');
  const stamp = (): string =>
    Math.floor(clock.now().getTime() / 1000)
      .toString(16)
      .toUpperCase()
      .padStart(8, '0');
  const isFresh = (hex: string): boolean => {
    const age = clock.now().getTime() / 1000 - Number.parseInt(hex, 16);
    return age > -graceSeconds && age < lifeSeconds;
  };
  return {
    issue: (userid) => {
      const now = stamp();
      const plain = `PVE:${userid}:${now}`;
      return { ticket: `${plain}::${signed(plain)}`, csrf: `${now}:${signed(`${now}:${userid}`)}` };
    },
    holder: (ticket) => {
      const [, plain = '', userid, time = '', signature = ''] =
        /^(PVE:([^:]+):([0-9A-F]{8}))::(.+)$/s.exec(ticket)?.map((each, index) => (index === 0 ? '' : each)) ?? [];
      return userid !== undefined && isFresh(time) && isSame(signature, signed(plain)) ? userid : undefined;
    },
    isCsrf: (userid, token) => {
      const [time = '', signature = ''] = token.split(':');
      return /^[0-9A-F]{8}$/.test(time) && isFresh(time) && isSame(signature, signed(`${time}:${userid}`));
    },
  };
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

import type { Principal } from '../call.ts';
import { forbidden, Refusal } from '../refusal.ts';
import type { PveVersion } from '../datacenter.ts';
import type { AccessState } from './state.ts';

export type Authenticated = {
  /** Undefined: nobody had to say who they are. */
  readonly who: Principal | undefined;
  /** A token was shown, whether or not anybody had to. */
  readonly byToken: boolean;
};

export type Entry = {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
};

const open = new Set(['GET /access/domains', 'GET /access/ticket', 'POST /access/ticket']);

/** Who asks; refuses those who do not say it, or whom nobody knows. */
export function authenticate(access: AccessState, { major }: PveVersion, now: Date, entry: Entry): Authenticated {
  const { method, path, headers } = entry;
  const authorization = headers.get('authorization');
  const ticket = credential(headers.get('cookie'), 'PVEAuthCookie') ?? credential(authorization, 'PVEAuthCookie');
  const token = ticket === undefined ? credential(authorization, 'PVEAPIToken') : undefined;
  if (open.has(`${method} ${path}`)) return { who: undefined, byToken: token !== undefined };
  // Newer ones do not tell what was wrong.
  const unknown = (why: string): Refusal => new Refusal(401, major === 9 ? 'Authentication failed!' : why);
  if (token !== undefined) {
    const who = tokenHolder(access, token, now, unknown);
    mayUpload(access, who, entry);
    return { who, byToken: true };
  }
  if (ticket === undefined) throw new Refusal(401, 'No ticket');
  const user = access.tickets.holder(ticket);
  if (user === undefined) throw unknown('permission denied - invalid PVE ticket');
  const why = access.whyNot(user);
  if (why !== undefined) throw unknown(why);
  const who: Principal = { user, token: undefined };
  const isUpload = mayUpload(access, who, entry);
  if (method !== 'GET' && !isUpload && !access.tickets.isCsrf(user, headers.get('csrfpreventiontoken') ?? ''))
    throw new Refusal(401, 'Permission denied - invalid csrf token');
  return { who, byToken: false };
}

function tokenHolder(access: AccessState, shown: string, now: Date, unknown: (why: string) => Refusal): Principal {
  const [, full, value] = /^(.*)=(.*)$/.exec(shown) ?? [];
  const [, user, id] = /^(.+@[^!]+)!(.+)$/.exec(full ?? '') ?? [];
  if (full === undefined) throw unknown('no tokenid specified');
  if (user === undefined || id === undefined)
    throw unknown(`'${full}' is not a valid token ID - not able to split into user and token parts`);
  const why = access.whyNot(user);
  if (why !== undefined) throw unknown(why);
  const token = access.users.get(user)?.tokens.get(id);
  if (token === undefined) throw unknown(`no such token '${id}' for user '${user}'`);
  if (token.expire > 0 && token.expire < now.getTime() / 1000) throw unknown(`token '${id}' access expired`);
  if (token.value !== value) throw unknown('invalid token value!');
  return { user, token: id };
}

/** An upload is checked before anything of it is read. */
function mayUpload(access: AccessState, who: Principal, { method, path }: Entry): boolean {
  const storage = uploadTarget(method, path);
  if (storage === undefined) return false;
  const right = 'Datastore.AllocateTemplate';
  const isRoot = who.user === 'root@pam' && who.token === undefined;
  if (!isRoot && !access.may(who, `/storage/${storage}`, [right])) throw forbidden(`/storage/${storage}, ${right}`);
  return true;
}

/** The storage that an upload is for; undefined: it is none. */
export const uploadTarget = (method: string, path: string): string | undefined =>
  method === 'POST' ? /^\/nodes\/[^/]+\/storage\/([^/]+)\/upload$/.exec(path)?.[1] : undefined;

/** `NAME=value` or `NAME value` in a header, until a semicolon. */
function credential(header: string | undefined, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}(?:=| )([^;]*)`).exec(header ?? '')?.[1];
  return value === undefined || value === '' ? undefined : unescaped(value);
}

const unescaped = (text: string): string =>
  text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import type { Credentials } from '../settings.ts';
import type { Method } from './link.ts';

/** Logs in; what it returns is what stands under `data`. */
export type Login = (form: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<unknown>;

type Ticket = { readonly ticket: string; readonly csrf: string; readonly at: number };

/** A ticket is good for two hours. */
const renewAfterMs = 90 * 60_000;

/** How we prove who we are. */
export class Auth {
  /** Can be shown to anybody: the name, never the secret. */
  readonly who: string;
  /** Whether a refusal may mean that it only has become old. */
  readonly renewable: boolean;
  readonly #credentials: Credentials;
  readonly #clock: Clock;
  readonly #login: Login;
  #ticket: Ticket | undefined;
  #renewing: Promise<Ticket> | undefined;

  constructor(credentials: Credentials, clock: Clock, login: Login) {
    this.#credentials = credentials;
    this.#clock = clock;
    this.#login = login;
    this.renewable = credentials.kind === 'login';
    this.who = credentials.kind === 'token' ? tokenName(credentials.token) : credentials.username;
  }

  async headers(method: Method, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    if (this.#credentials.kind === 'token') return { authorization: `PVEAPIToken=${this.#credentials.token}` };
    const { ticket, csrf } = await this.#current(signal);
    return {
      cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`,
      ...(method === 'GET' ? {} : { csrfpreventiontoken: csrf }),
    };
  }

  /** The ticket that was used is not good any more. */
  forget(): void {
    this.#ticket = undefined;
  }

  /** Takes everything secret out of a text. */
  hide(text: string): string {
    const secrets =
      this.#credentials.kind === 'token'
        ? [this.#credentials.token.split('=').slice(1).join('=')]
        : [this.#credentials.password, this.#ticket?.ticket ?? '', this.#ticket?.csrf ?? ''];
    return secrets.filter((secret) => secret !== '').reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }

  async #current(signal: AbortSignal): Promise<Ticket> {
    const known = this.#ticket;
    if (known !== undefined && this.#clock.now().getTime() - known.at < renewAfterMs) return known;
    this.#renewing ??= this.#renew(signal).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renew(signal: AbortSignal): Promise<Ticket> {
    if (this.#credentials.kind !== 'login') throw new Error('A token is not renewed.');
    const { username, password } = this.#credentials;
    const at = this.#clock.now().getTime();
    const data = await this.#login({ username, password }, signal);
    const { ticket, CSRFPreventionToken: csrf, NeedTFA: needsTfa } = (data ?? {}) as Record<string, unknown>;
    if (needsTfa !== undefined && needsTfa !== 0 && needsTfa !== false) throw secondFactor(username);
    if (typeof ticket !== 'string' || typeof csrf !== 'string') throw noTicket(username);
    this.#ticket = { ticket, csrf, at };
    return this.#ticket;
  }
}

/** Everything before the secret. A text of another form may be nothing but a secret, so none of it is shown. */
function tokenName(token: string): string {
  const [, name] = /^([^@!=\s]+@[^@!=\s]+![^@!=\s]+)=\S+$/.exec(token) ?? [];
  if (name !== undefined) return name;
  throw new Problem('proxmox-token-form', 'The token is not of the form USER@REALM!NAME=SECRET.', {
    remedy:
      'Keep the whole of it where machines.proxmox.token points: the full id, an equals sign, and the value that was printed when it was made.\n    pveum user token add ichor@pve ichor',
  });
}

const secondFactor = (username: string): Problem =>
  new Problem('proxmox-second-factor', `${username} logs in with a second factor, which nobody is here to give.`, {
    remedy: `Use a token instead of a password:\n    pveum user token add ${username} ichor`,
  });

const noTicket = (username: string): Problem =>
  new Problem('proxmox-unauthorized', `Proxmox did not give ${username} a ticket.`, {
    remedy: 'Look whether the user exists, is enabled and has this password:\n    pveum user list',
  });

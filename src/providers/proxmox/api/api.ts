import type { Problem } from '../../../model/problem.ts';
import type { ProxmoxAccess, ProxmoxSettings } from '../settings.ts';
import { usualDeadlines, type Deadlines, type ProxmoxTools } from '../tools.ts';
import { isRefused, readAnswer, type Answer } from './answer.ts';
import { Auth } from './auth.ts';
import { lossOf, refusalOf } from './classify.ts';
import { addressed, endpointsOf, usualPort, type Endpoint } from './endpoint.ts';
import { formOf, type Params } from './form.ts';
import { Gate } from './gate.ts';
import { Link, NotSent, type Incoming, type Method, type Outgoing } from './link.ts';
import { ApiProblem } from './problem.ts';
import type { Asked, Right } from './refusals.ts';
import type { Multipart } from './multipart.ts';
import { shared } from '../../../model/signals.ts';

export type Request = {
  readonly path: string;
  /** The end of “Proxmox refused to …”. */
  readonly doing: string;
  readonly params?: Params;
  readonly needs?: Right;
  /** A read that is not asked again, because whoever asks does that. */
  readonly once?: true;
};

/** As many as a host has workers; more only wait there, and make others wait. */
const perHost = 3;
const readAttempts = 5;

/** The API of a cluster, through whichever of its hosts answers. */
export class ProxmoxApi implements AsyncDisposable {
  readonly tools: ProxmoxTools;
  /** How far the hosts’ clock is ahead of ours; undefined: nobody has answered yet. */
  skewMs: number | undefined;
  readonly #auth: Auth;
  readonly #deadlines: Deadlines;
  readonly #links: readonly Link[];
  readonly #direct = new Map<string, Link>();
  readonly #gate = new Gate(perHost);
  /** The one that answered last is asked first. */
  #good = 0;

  constructor(settings: ProxmoxSettings, access: ProxmoxAccess, tools: ProxmoxTools) {
    this.tools = tools;
    this.#deadlines = { ...usualDeadlines, ...tools.deadlines };
    this.#links = endpointsOf(settings, access).map((endpoint) => this.#linkTo(endpoint));
    this.#auth = new Auth(access.credentials, tools.clock, (form, signal) =>
      this.#login({ path: '/access/ticket', doing: 'log in', params: form }, signal),
    );
  }

  get who(): string {
    return this.#auth.who;
  }

  /** Asked again, and elsewhere, until somebody answers. */
  async read(request: Request, signal: AbortSignal): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#throughGate('GET', request, signal);
      } catch (error) {
        if (request.once === true || attempt === readAttempts || !isWorthAsking(error)) throw error;
        await this.tools.pause(backoffMs(attempt, this.tools.random), signal);
      }
    }
  }

  async get(request: Request, signal: AbortSignal): Promise<unknown> {
    return (await this.read(request, signal)).data;
  }

  /** Sent once. What became of it when it fails is in the problem’s `fate`. */
  async write(method: Exclude<Method, 'GET'>, request: Request, signal: AbortSignal): Promise<unknown> {
    return (await this.#throughGate(method, request, signal)).data;
  }

  /** Straight to the host that keeps the file, where it can be reached; any other would copy it there by ssh. */
  async upload(host: string, request: Request, parts: Multipart, signal: AbortSignal): Promise<unknown> {
    const asked = this.#asked(request);
    const outgoing: Outgoing = {
      method: 'POST',
      path: `/api2/json${request.path}`,
      headers: { 'content-type': parts.type, ...(await this.#auth.headers('POST', signal)) },
      body: parts.body,
    };
    const direct = await this.#directTo(host, signal);
    return this.#gate.pass(host, signal, async () => {
      try {
        return (await this.#exchange(direct, outgoing, asked, signal)).data;
      } catch (error) {
        if (!(error instanceof ApiProblem && error.fate === 'not done') || direct === this.#link()) throw error;
        return (await this.#exchange(this.#link(), outgoing, asked, signal)).data;
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#links, ...this.#direct.values()].map((link) => link.close()));
  }

  #linkTo(endpoint: Endpoint): Link {
    return new Link(endpoint, this.tools.connect, this.#deadlines);
  }

  #link(index = this.#good): Link {
    const link = this.#links[index];
    if (link === undefined) throw new Error('There is no endpoint.');
    return link;
  }

  #throughGate(method: Method, request: Request, signal: AbortSignal): Promise<Answer> {
    return this.#gate.pass(hostIn(request.path) ?? '', signal, () => this.#call(method, request, shared(signal)));
  }

  async #call(method: Method, request: Request, signal: AbortSignal): Promise<Answer> {
    for (let renewed = false; ; renewed = true) {
      const headers = await this.#auth.headers(method, signal);
      try {
        return await this.#anywhere(outgoingOf(method, request, headers), this.#asked(request), signal);
      } catch (error) {
        const old = error instanceof ApiProblem && error.status === 401 && this.#auth.renewable && !renewed;
        if (!old) throw error;
        this.#auth.forget();
      }
    }
  }

  async #login(request: Request, signal: AbortSignal): Promise<unknown> {
    return (await this.#anywhere(outgoingOf('POST', request, {}), this.#asked(request), signal)).data;
  }

  /** An endpoint that cannot be reached has seen nothing, so the next one may be asked the same. */
  async #anywhere(outgoing: Outgoing, asked: Asked, signal: AbortSignal): Promise<Answer> {
    const failures: ApiProblem[] = [];
    const first = this.#good;
    for (const [offset] of this.#links.entries()) {
      const index = (first + offset) % this.#links.length;
      try {
        return await this.#exchange(this.#link(index), outgoing, asked, signal);
      } catch (error) {
        if (!(error instanceof ApiProblem) || (error.fate === 'refused' && !error.passing)) throw error;
        // Whatever comes next is asked of another one; who failed beside us may have seen to that already.
        if (error.fate !== 'refused' && this.#good === index) this.#good = (index + 1) % this.#links.length;
        if (error.fate !== 'not done') throw error;
        failures.push(error);
      }
    }
    throw onlyOrAll(failures, asked);
  }

  async #exchange(link: Link, outgoing: Outgoing, asked: Asked, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    let incoming: Incoming;
    try {
      incoming = await link.send(outgoing, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw lossOf(error, link.endpoint.name, asked, !(error instanceof NotSent));
    }
    this.#look(incoming);
    const answer = readAnswer(incoming);
    if (!isRefused(answer)) return answer;
    throw refusalOf({ ...answer, said: this.#auth.hide(answer.said), errors: this.#hidden(answer.errors) }, asked);
  }

  #hidden(errors: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, this.#auth.hide(text)]));
  }

  #look({ date }: Incoming): void {
    const at = date === undefined ? Number.NaN : Date.parse(date);
    if (!Number.isNaN(at)) this.skewMs = at - this.tools.clock.now().getTime();
  }

  #asked({ path, doing, needs }: Request): Asked {
    return { doing, who: this.who, host: hostIn(path), vmid: vmidIn(path), needs };
  }

  async #directTo(host: string, signal: AbortSignal): Promise<Link> {
    const known = this.#direct.get(host);
    if (known !== undefined) return known;
    const hosts = (await this.get({ path: '/nodes', doing: 'list the hosts' }, signal)) as readonly Row[];
    const fingerprint = hosts.find(({ node }) => node === host)?.ssl_fingerprint;
    const own = this.#links.find((link) => link.fingerprint !== undefined && link.fingerprint === fingerprint);
    if (own !== undefined || fingerprint === undefined) return own ?? this.#link();
    const members = (await this.get(
      { path: '/cluster/status', doing: 'look at the cluster' },
      signal,
    )) as readonly Row[];
    const address = members.find(({ type, name }) => type === 'node' && name === host)?.ip;
    if (address === undefined) return this.#link();
    const link = this.#linkTo(addressed(address, usualPort, { kind: 'pinned', fingerprint }));
    this.#direct.set(host, link);
    return link;
  }
}

const isWorthAsking = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.fate !== 'refused' || error.passing);

type Row = Readonly<Record<'node' | 'ssl_fingerprint' | 'type' | 'name' | 'ip', string | undefined>>;

const hostIn = (path: string): string | undefined => decoded(/^\/nodes\/([^/]+)/.exec(path)?.[1]);
const decoded = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : decodeURIComponent(text);

function vmidIn(path: string): number | undefined {
  const vmid = /\/qemu\/(\d+)/.exec(path)?.[1];
  return vmid === undefined ? undefined : Number(vmid);
}

/** GET and DELETE take no body: hosts refuse one. Nothing is sent in chunks. */
function outgoingOf(method: Method, request: Request, headers: Readonly<Record<string, string>>): Outgoing {
  const form = formOf(request.params ?? {});
  const path = `/api2/json${request.path}`;
  const accept = { accept: 'application/json', ...headers };
  if (method === 'GET' || method === 'DELETE') {
    return { method, path: form === '' ? path : `${path}?${form}`, headers: accept, body: undefined };
  }
  return { method, path, headers: { ...accept, 'content-type': 'application/x-www-form-urlencoded' }, body: form };
}

function onlyOrAll(failures: readonly ApiProblem[], { doing }: Asked): Problem {
  const [only] = failures;
  if (only !== undefined && failures.length === 1) return only;
  return new ApiProblem(
    only?.code ?? 'proxmox-unreachable',
    `No endpoint could be asked to ${doing}:\n${failures.map(({ message }) => `    ${message}`).join('\n')}`,
    { fate: 'not done', passing: false, status: only?.status },
    { recovery: 'retry', remedy: only?.remedy ?? '' },
  );
}

/** A third of a second, then twice as long each time, up to ten; a little apart from everybody else. */
export const backoffMs = (attempt: number, random: () => number): number =>
  Math.min(10_000, 300 * 2 ** (attempt - 1)) * (0.75 + random() / 2);

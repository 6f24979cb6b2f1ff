import https from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Target } from './target.ts';

export type Asked = {
  readonly body?: unknown;
  /** Absent: JSON; with PATCH: a merge patch. */
  readonly type?: string;
  readonly accept?: string;
  /** Somebody's token, `none`; absent: the administrator's. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly certificate?: { readonly crt: string; readonly key: string };
};

export type Told = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed where it is JSON. */
  readonly body: unknown;
};

/** A connection of the suite's own, so that neither our client nor the twin can be wrong together with it. */
export class Caller implements Disposable {
  readonly #target: Target;
  readonly #agent: https.Agent;

  constructor(target: Target) {
    this.#target = target;
    this.#agent = new https.Agent({ keepAlive: true, ca: target.ca, maxSockets: 64 });
  }

  /** Answers as soon as there are headers. */
  open(method: string, path: string, asked: Asked = {}): Promise<IncomingMessage> {
    const { body, accept = 'application/json', token = this.#target.token, certificate } = asked;
    const type = asked.type ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      ...(token === 'none' || certificate !== undefined ? {} : { authorization: `Bearer ${token}` }),
      accept,
      ...(text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
      ...(asked.headers as Record<string, string | string[]> | undefined),
    };
    const credentials =
      certificate === undefined
        ? { agent: this.#agent }
        : { agent: false as const, ca: this.#target.ca, cert: certificate.crt, key: certificate.key };
    return new Promise((resolve, reject) => {
      const sent = https.request(new URL(path, this.#target.url), { method, headers, ...credentials }, resolve);
      sent.on('error', reject);
      sent.end(text);
    });
  }

  async ask(method: string, path: string, asked?: Asked): Promise<Told> {
    const answer = await this.open(method, path, asked);
    const chunks: Buffer[] = [];
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const isJson = answer.headers['content-type']?.includes('json') === true;
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text,
    };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

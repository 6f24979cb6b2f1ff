import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Status } from '../../../wire/kubernetes/objects.ts';
import { stringify as toYaml } from 'yaml';
import { internalError, Refusal } from '../refusal.ts';
import type { Form } from './negotiate.ts';

/** One answer that is being given. */
export class Exchange {
  readonly response: ServerResponse;
  readonly #isPretty: boolean;
  readonly #warnings = new Set<string>();
  /** What is done is done, and nobody hears of it. */
  isLost = false;
  form: Form['type'] = 'json';
  who = '';
  onDone: (status: number, who: string) => void = () => undefined;

  constructor(response: ServerResponse, isPretty: boolean) {
    this.response = response;
    this.#isPretty = isPretty;
  }

  warn(text: string): void {
    this.#warnings.add(text);
  }

  json(code: number, value: unknown, type = 'application/json'): void {
    if (this.form === 'yaml' && type === 'application/json') {
      const object: unknown = typeof value === 'string' ? JSON.parse(value) : value;
      return this.#end(
        code,
        'application/yaml',
        toYaml(object, { sortMapEntries: true, lineWidth: 0, indentSeq: false, version: '1.1' }),
      );
    }
    const isText = typeof value === 'string' && !this.#isPretty;
    const text = isText ? value : JSON.stringify(plainOf(value), undefined, this.#isPretty ? 2 : 0);
    this.#end(code, type, `${text}\n`);
  }

  text(code: number, text: string, type = 'text/plain; charset=utf-8'): void {
    this.response.setHeader('x-content-type-options', 'nosniff');
    this.#end(code, type, text);
  }

  /** Text that somebody may have already; then it is not sent again. */
  tagged(text: string, tag: string, type: string): void {
    this.response.setHeader('etag', tag);
    this.response.setHeader('vary', 'Accept');
    if (this.response.req.headers['if-none-match'] === tag) return this.#end(304, type, '');
    this.#end(200, type, text);
  }

  /** A body that comes bit by bit. */
  stream(type: string): ServerResponse {
    this.#head(200, type);
    this.response.flushHeaders();
    return this.response;
  }

  refuse(error: unknown): void {
    const { status } = error instanceof Refusal ? error : internalError(String(error));
    this.status(status);
  }

  status(status: Status): void {
    const wait = status.details?.retryAfterSeconds;
    if (wait !== undefined) this.response.setHeader('retry-after', String(wait));
    this.json(status.code ?? 500, status);
  }

  /** The connection is closed without a word. */
  lose(request: IncomingMessage): void {
    this.onDone(0, this.who);
    request.socket.destroy();
  }

  #end(code: number, type: string, text: string): void {
    if (this.isLost) return this.lose(this.response.req);
    this.#head(code, type);
    this.response.end(text);
  }

  #head(code: number, type: string): void {
    if (this.#warnings.size > 0)
      this.response.setHeader(
        'warning',
        [...this.#warnings].map((text) => `299 - ${JSON.stringify(text)}`),
      );
    this.response.setHeader('cache-control', 'no-cache, private');
    this.response.setHeader('content-type', type);
    this.response.statusCode = code;
    this.onDone(code, this.who);
  }
}

const plainOf = (value: unknown): unknown => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value);

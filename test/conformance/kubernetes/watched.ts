import type { IncomingMessage } from 'node:http';
import type { WatchEvent } from '../../../src/wire/kubernetes/objects.ts';

/** A watch that is read event by event. */
export class Watched implements Disposable {
  readonly #answer: IncomingMessage;
  readonly #patienceMs: number;
  readonly #events: WatchEvent[] = [];
  #rest = '';
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(answer: IncomingMessage, patienceMs: number) {
    this.#answer = answer;
    this.#patienceMs = patienceMs;
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') this.#events.push(JSON.parse(line) as WatchEvent);
      this.#wake();
    });
    answer.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
    answer.on('error', () => undefined);
  }

  get status(): number {
    return this.#answer.statusCode ?? 0;
  }

  /** The next so many events. */
  async take(count: number): Promise<readonly WatchEvent[]> {
    const until = Date.now() + this.#patienceMs;
    while (this.#events.length < count) {
      if (this.#ended || Date.now() >= until)
        throw new Error(
          `${count} events were expected, ${this.#events.length} came${this.#ended ? ' before the end' : ''}: ${JSON.stringify(this.#events)}`,
        );
      await this.#news(until - Date.now());
    }
    return this.#events.splice(0, count);
  }

  /** Everything until the server ends it. */
  async rest(): Promise<readonly WatchEvent[]> {
    const until = Date.now() + this.#patienceMs;
    while (!this.#ended) {
      if (Date.now() >= until) throw new Error('The watch did not end.');
      await this.#news(until - Date.now());
    }
    return this.#events.splice(0);
  }

  #news(ms: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  [Symbol.dispose](): void {
    this.#answer.destroy();
  }
}

/** Lines that somebody wrote, with followers: logs of services, and the kernel’s ring. */
export class Journal {
  readonly #lines: (string | (() => string))[] = [];
  readonly #listeners = new Set<(line: string) => void>();
  readonly #most: number;

  constructor(most = 500) {
    this.#most = most;
  }

  /** A line that costs something to make is made when somebody reads it. */
  write(line: string | (() => string)): void {
    this.#lines.push(line);
    if (this.#lines.length > this.#most) this.#lines.shift();
    for (const listener of this.#listeners) listener(textOf(line));
  }

  /** The last lines; all of them when the number is negative. */
  tail(count: number): readonly string[] {
    if (count === 0) return [];
    return (count < 0 ? this.#lines : this.#lines.slice(-count)).map(textOf);
  }

  follow(listener: (line: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const textOf = (line: string | (() => string)): string => (typeof line === 'string' ? line : line());

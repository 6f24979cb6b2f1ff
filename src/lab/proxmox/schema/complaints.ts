/** What is wrong with which parameter. */
export class Complaints {
  readonly #texts = new Map<string, string>();

  get size(): number {
    return this.#texts.size;
  }

  /** A second complaint goes behind the first, between them a backslash and an n, as with the real thing. */
  add(path: string, text: string): void {
    const before = this.#texts.get(path);
    this.#texts.set(path, before === undefined ? text : `${before}\\n${text}`);
  }

  byPath(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#texts);
  }

  /** As lines, for what stands inside of another complaint. */
  lines(): string {
    return [...this.#texts]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, text]) => `${path}: ${text}\n`)
      .join('');
  }
}

export const unknownProperty = 'property is not defined in schema and the schema does not allow additional properties';
export const missingProperty = 'property is missing and it is not optional';

/** What containers have said, for as long as somebody may ask. */
export class ContainerOutput {
  readonly #said = new Map<string, readonly string[]>();
  readonly #most = 100;

  write(uid: string, container: string, lines: readonly string[]): void {
    this.#said.set(`${uid} ${container}`, lines);
    const [oldest] = this.#said.keys();
    if (this.#said.size > this.#most && oldest !== undefined) this.#said.delete(oldest);
  }

  of(uid: string, container: string): readonly string[] {
    return this.#said.get(`${uid} ${container}`) ?? [];
  }
}

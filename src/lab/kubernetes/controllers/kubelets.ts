/** What no object says about the machines: since when each is up, and since when it has a network. */
export class Kubelets {
  readonly #lives = new Map<string, { readonly since: Date; network?: Date }>();

  /** Undefined: the machine is off, or its kubelet does not answer. */
  life(node: string): { readonly since: Date; readonly network?: Date } | undefined {
    return this.#lives.get(node);
  }

  begin(node: string, since: Date): void {
    this.#lives.set(node, { since });
  }

  end(node: string): void {
    this.#lives.delete(node);
  }

  networkUp(node: string, since: Date): void {
    const life = this.#lives.get(node);
    if (life !== undefined) life.network ??= since;
  }

  names(): readonly string[] {
    return [...this.#lives.keys()];
  }
}

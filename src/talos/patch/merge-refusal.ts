/** Two values that Talos refuses to merge; `path` is where, inside of the document. */
export class MergeRefusal extends Error {
  readonly path: readonly string[];

  constructor(message: string, path: readonly string[]) {
    super(message);
    this.path = path;
  }
}

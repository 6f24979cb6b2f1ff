/** A call that ends otherwise than with 200; whoever serves it turns this into a status line and a body. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** By parameter. */
  readonly errors: Readonly<Record<string, string>> | undefined;

  constructor(status: number, message: string, errors?: Readonly<Record<string, string>>) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** How nearly everything goes wrong with the real thing, also what is not there. */
export const died = (message: string): Refusal => new Refusal(500, message);

export const wrongParameters = (errors: Readonly<Record<string, string>>): Refusal =>
  new Refusal(400, 'Parameter verification failed.', errors);

export const forbidden = (detail?: string): Refusal =>
  new Refusal(403, detail === undefined ? 'Permission check failed' : `Permission check failed (${detail})`);

/** A refusal as text, where another one quotes it or a task ends with it: only the plainest goes without its status. */
export function quoted(error: unknown): string {
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error);
  if (error.status === 500) return error.message;
  const errors = Object.entries(error.errors ?? {}).map(([name, text]) => `${name}: ${text.trimEnd()}`);
  return [`${error.status} ${error.message}`, ...errors].join('\n');
}

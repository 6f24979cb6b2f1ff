/** An API server with its controllers and nothing else: the twin, or the real one. */
export type Target = AsyncDisposable & {
  readonly url: string;
  /** PEM: whom the server is signed by. */
  readonly ca: string;
  /** A token of an administrator, of `system:masters`. */
  readonly token: string;
  readonly patienceMs: number;
  /** What watches and pages of lists go on from is forgotten, but for the newest. */
  readonly forget: () => Promise<void>;
};

/** Who else the server knows by token. */
export const people = {
  'token-of-eva': { user: 'eva', groups: ['gardeners'] },
  'token-of-tom': { user: 'tom', groups: [] },
} as const;

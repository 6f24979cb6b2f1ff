/** The name of a task: where it runs, and what it is. */
export type Upid = {
  readonly upid: string;
  readonly host: string;
  /** Seconds, by the clock of its host. */
  readonly startedAt: number;
  readonly type: string;
  readonly id: string;
};

const form = /^UPID:([^:]+):[0-9A-F]{8}:[0-9A-F]{8,9}:([0-9A-F]{8}):([^:\s/]+):([^:\s/]*):[^:\s/]+:$/i;

export function parseUpid(text: unknown): Upid | undefined {
  if (typeof text !== 'string') return undefined;
  const [, host, started, type, id] = form.exec(text) ?? [];
  if (host === undefined || started === undefined || type === undefined) return undefined;
  return { upid: text, host, startedAt: Number.parseInt(started, 16), type, id: id ?? '' };
}

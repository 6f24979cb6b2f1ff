/** What stands in the name of a worker process. */
export type Upid = {
  readonly host: string;
  readonly pid: number;
  readonly pstart: number;
  readonly starttime: number;
  readonly type: string;
  readonly id: string;
  /** `root@pam`, or `root@pam!full` of a token. */
  readonly user: string;
};

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');

export const printUpid = ({ host, pid, pstart, starttime, type, id, user }: Upid): string =>
  `UPID:${host}:${hex(pid)}:${hex(pstart)}:${hex(starttime)}:${type}:${id}:${user}:`;

const pattern =
  /^UPID:([a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?):([0-9A-Fa-f]{8}):([0-9A-Fa-f]{8,9}):([0-9A-Fa-f]{8}):([^:\s/]+):([^:\s/]*):([^:\s/]+):$/;

/** Undefined: not a UPID. */
export function parseUpid(text: string): Upid | undefined {
  const [, host, pid, pstart, starttime, type, id, user] = pattern.exec(text) ?? [];
  if (host === undefined || type === undefined || id === undefined || user === undefined) return undefined;
  const number = (digits: string | undefined): number => Number.parseInt(digits ?? '', 16);
  return { host, pid: number(pid), pstart: number(pstart), starttime: number(starttime), type, id, user };
}

import type { Datacenter } from './datacenter.ts';
import type { Host } from './host.ts';

/** Who asks: a user, or a token of one. */
export type Principal = {
  /** `root@pam` */
  readonly user: string;
  /** `full` of `root@pam!full`; undefined: a ticket. */
  readonly token: string | undefined;
};

export const principalName = ({ user, token }: Principal): string => (token === undefined ? user : `${user}!${token}`);

/** Values as they were sent, after the description of the API found nothing wrong with them: 0 and 1 for booleans. */
export type Params = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request that is allowed and well formed, where it is carried out. */
export type Call = {
  readonly datacenter: Datacenter;
  /** The host of the path, or the one that was asked. */
  readonly host: Host;
  readonly who: Principal;
  /** Path, query and body together. */
  readonly params: Params;
  /** One value as text; undefined: absent. */
  readonly text: (name: string) => string | undefined;
  readonly number: (name: string) => number | undefined;
  /** Booleans of the API. */
  readonly flag: (name: string) => boolean;
  /** A list that may be separated by commas, semicolons or blanks. */
  readonly list: (name: string) => readonly string[];
  /** Refuses with `Permission check failed (PATH, PRIVILEGES)` unless all of them are there, or one of them with `any`. */
  readonly require: (path: string, privileges: readonly string[], how?: 'all' | 'any') => void;
  readonly may: (path: string, privileges: readonly string[], how?: 'all' | 'any') => boolean;
  /** Only of an upload. */
  readonly upload: Upload | undefined;
  /** The host died, or the lab is over. Who asked may be gone: the real thing goes on all the same. */
  readonly signal: AbortSignal;
};

/** A file that came in. What is longer than its head was counted and hashed, and is gone. */
export type Upload = {
  readonly fileName: string;
  readonly bytes: number;
  readonly head: Uint8Array;
  /** Hex, by algorithm: md5, sha1, sha224, sha256, sha384, sha512. */
  readonly digests: Readonly<Record<string, string>>;
};

/** What stands under `data`; with `total` or `changes` beside it where the API has them. */
export type Answer = { readonly data: unknown; readonly total?: number; readonly changes?: string };

export const answer = (data: unknown, beside: Omit<Answer, 'data'> = {}): Answer => ({ data, ...beside });

export type Handler = (call: Call) => Answer | Promise<Answer>;

/** `GET /nodes/{node}/qemu/{vmid}/config`, as the description of the API has it. */
export type Routes = Readonly<Record<string, Handler>>;

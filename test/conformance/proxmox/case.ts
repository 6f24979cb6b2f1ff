import { expect } from 'vitest';
import type { Asked, Told } from '../../lab/proxmox.ts';

/** Who asks: root by token or by ticket, two accounts of the story, or nobody. */
export type Who = 'root' | 'root’s ticket' | 'eva' | 'eva’s token' | 'nobody';

/** One question and its whole answer. The cases of a chapter are a story: what one changes, the next one finds. */
export type Case = {
  readonly name: string;
  readonly call: string;
  readonly asked?: Asked & { readonly who?: Who };
  readonly status: number;
  /** Absent: OK. */
  readonly reason?: unknown;
  /** Absent: nobody looks. Texts in it may be patterns. */
  readonly body?: unknown;
};

export type Chapter = { readonly title: string; readonly cases: readonly Case[] };

export const done = (name: string, call: string, asked: Case['asked'] = {}, data: unknown = null): Case => ({
  name,
  call,
  asked,
  status: 200,
  body: { data },
});

/** A refusal whose text is in the status line and, with a line end, in the body. */
export const refused = (name: string, call: string, asked: Case['asked'], status: number, message: string): Case => ({
  name,
  call,
  asked: asked ?? {},
  status,
  reason: message.split('\n')[0] ?? '',
  body: { data: null, message: `${message}\n` },
});

/** A refusal because of parameters. */
export const wrong = (
  name: string,
  call: string,
  asked: Case['asked'],
  errors: Readonly<Record<string, string>>,
): Case => ({
  name,
  call,
  asked: asked ?? {},
  status: 400,
  reason: 'Parameter verification failed.',
  body: { data: null, message: 'Parameter verification failed.\n', errors },
});

export const forbidden = (name: string, call: string, asked: Case['asked'], detail?: string): Case =>
  refused(
    name,
    call,
    asked,
    403,
    detail === undefined ? 'Permission check failed' : `Permission check failed (${detail})`,
  );

/** What can be compared of an answer. */
export const shown = ({ status, reason, body }: Told): Omit<Case, 'name' | 'call' | 'asked'> => ({
  status,
  reason,
  body,
});

/** A text that looks like this. */
export const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
/** A list in which these are. */
export const among = (items: readonly unknown[]): unknown => expect.arrayContaining([...items]);
/** Something that has these among others. */
export const holding = (fields: Readonly<Record<string, unknown>>): unknown => expect.objectContaining(fields);

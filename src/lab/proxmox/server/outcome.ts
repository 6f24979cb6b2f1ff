import type { Answer } from '../call.ts';
import { Refusal } from '../refusal.ts';
import { emptyReply, jsonType } from './reply.ts';
import type { Reply } from './reply.ts';
import { scrambled } from './scrambled.ts';

/** How a call ended, before it has a form. */
export type Outcome =
  | { readonly kind: 'done'; readonly answer: Answer; readonly relayed?: readonly string[] }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** As the body has it, with its line ends. */
      readonly message: string;
      readonly errors?: Readonly<Record<string, string>>;
    }
  /** Nobody behind this host could be reached: nothing is in the body. */
  | { readonly kind: 'cut'; readonly status: number; readonly reason: string };

export type Format = 'json' | 'extjs';

export function refusedBy(error: unknown): Outcome {
  if (error instanceof Refusal)
    return {
      kind: 'refused',
      status: error.status,
      message: `${error.message}\n`,
      ...(error.errors === undefined ? {} : { errors: error.errors }),
    };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'refused', status: 500, message: `the lab itself failed: ${text}\n` };
}

/** Keys of objects are in no order, as with the real thing. */
export function replyOf(outcome: Outcome, format: Format, random: () => number): Reply {
  switch (outcome.kind) {
    case 'cut':
      return emptyReply(outcome.status, outcome.reason);
    case 'done': {
      const { data, total, changes } = outcome.answer;
      const body = {
        ...(format === 'extjs' ? { success: 1 } : {}),
        data: data ?? null,
        // An empty list has no total.
        ...(total === undefined || total === 0 ? {} : { total }),
        ...(changes === undefined ? {} : { changes }),
      };
      const { relayed } = outcome;
      return { ...json(200, 'OK', body, random), ...(relayed === undefined ? {} : { relayed }) };
    }
    case 'refused': {
      const { status, message, errors } = outcome;
      const body = { data: null, message, ...(errors === undefined ? {} : { errors }) };
      return format === 'extjs'
        ? json(200, 'OK', { ...body, success: 0, status: perlStatus(status) }, random)
        : json(status, message, body, random);
    }
  }
}

/** What was thrown with a code comes as text, what the server itself says as a number. */
const perlStatus = (status: number): number | string => (status === 500 || status === 501 ? status : String(status));

const json = (status: number, reason: string, body: unknown, random: () => number): Reply => ({
  status,
  reason,
  body: JSON.stringify(scrambled(body, random)),
  type: jsonType,
});

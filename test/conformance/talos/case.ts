import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { expect } from 'vitest';
import type { Code } from './call.ts';
import type { Options, Where, World } from './world.ts';

/** When in the life of the three machines a case is asked. The cases of a stage leave the machines as they found them. */
export const stages = [
  /** All three are in maintenance mode. */
  'maintenance',
  /** Control plane and worker have their configuration; etcd waits for its bootstrap. */
  'configured',
  /** etcd runs. */
  'bootstrapped',
  /** Nothing comes after: what is asked here ends machines. */
  'end',
] as const;
export type Stage = (typeof stages)[number];

export type Case = { readonly stage: Stage; readonly name: string; readonly run: (world: World) => Promise<void> };

export type Expected = {
  readonly code: Code;
  readonly message?: string | RegExp;
  /** All messages, whole. */
  readonly messages?: readonly JsonValue[];
};

export type Asked = {
  readonly stage: Stage;
  readonly at: Where;
  readonly method: string;
  readonly request?: JsonObject;
  readonly options?: Options;
};

/** One call and what it must answer: most cases are this. A refusal is trailers only, and carries no messages. */
export const answers = (name: string, asked: Asked, expected: Expected): Case => ({
  stage: asked.stage,
  name,
  run: async (world) => {
    const waitMs = expected.code === 'NO_ANSWER' ? { waitMs: world.target.patienceMs } : {};
    const { code, message, messages } = await world.call(asked.at, asked.method, asked.request, {
      ...waitMs,
      ...asked.options,
    });
    const { message: words = expected.code === 'OK' ? '' : undefined } = expected;
    expect({ code, message, ...(expected.messages === undefined ? {} : { messages }) }).toEqual({
      code: expected.code,
      message:
        words instanceof RegExp ? (expect.stringMatching(words) as string) : (words ?? (expect.any(String) as string)),
      ...(expected.messages === undefined ? {} : { messages: expected.messages }),
    });
  },
});

export const notAuthorized: Expected = { code: 'PERMISSION_DENIED', message: 'not authorized', messages: [] };

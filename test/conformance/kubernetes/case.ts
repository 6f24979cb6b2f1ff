import { expect } from 'vitest';
import type { KubeObject, Status, StatusDetails, StatusReason } from '../../../src/wire/kubernetes/objects.ts';
import type { Asked } from './call.ts';
import type { World } from './world.ts';

export type Case = { readonly name: string; readonly run: (world: World) => Promise<void> };

/** Each case has a namespace of its own; what `before` makes, in no namespace, is for all cases of the chapter. */
export type Chapter = {
  readonly title: string;
  readonly before?: (world: World) => Promise<void>;
  readonly cases: readonly Case[];
};

export const holds = (name: string, run: Case['run']): Case => ({ name, run });

export type Question = Omit<Asked, 'body'> & {
  /** What is there before. */
  readonly given?: (world: World) => Promise<unknown>;
  readonly call: string;
  readonly body?: unknown;
};

/** The whole of a refusal; texts may say `{ns}`. */
export type Refused = {
  readonly code: number;
  readonly reason?: StatusReason;
  readonly message: string | RegExp;
  readonly details?: StatusDetails;
};

/** One question that is answered with a Status, compared whole. */
export const refuses = (name: string, question: Question, refused: Refused): Case => ({
  name,
  run: async (world) => {
    const { given, call, body, ...asked } = question;
    await given?.(world);
    const answer = await world.ask(call, body, asked);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: refused.code,
      body: failure(refused, world.ns),
    });
  },
});

export function failure({ message, ...refused }: Refused, ns = ''): Status {
  const said = JSON.parse(JSON.stringify(refused).replaceAll('{ns}', ns)) as Omit<Refused, 'message'>;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: message instanceof RegExp ? like(message) : message.replaceAll('{ns}', ns),
    ...said,
  };
}

/** A refusal because of fields: `["spec.x", "FieldValueInvalid", "Invalid value: 1: must be …"]`. */
export function invalid(
  kind: string,
  name: string,
  causes: readonly (readonly [field: string, reason: string, message: string])[],
): Refused {
  const [bare = '', ...group] = kind.split('.');
  const texts = causes.map(([field, , message]) => `${field}: ${message}`);
  return {
    code: 422,
    reason: 'Invalid',
    message: `${kind} "${name}" is invalid: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`,
    details: {
      name,
      ...(group.length === 0 ? {} : { group: group.join('.') }),
      kind: bare,
      causes: causes.map(([field, reason, message]) => ({ reason, message, field })),
    },
  };
}

export const bad = (message: string): Refused => ({ code: 400, reason: 'BadRequest', message });

export const unknown = (resource: string, name: string): Refused => {
  const [kind = '', ...group] = resource.split('.');
  return {
    code: 404,
    reason: 'NotFound',
    message: `${resource} "${name}" not found`,
    details: { name, ...(group.length === 0 ? {} : { group: group.join('.') }), kind },
  };
};

export const forbidden = (resource: string, name: string, words: string): Refused => {
  const [kind = '', ...group] = resource.split('.');
  return {
    code: 403,
    reason: 'Forbidden',
    message: `${resource}${name === '' ? '' : ` "${name}"`} is forbidden: ${words}`,
    details: { ...(name === '' ? {} : { name }), ...(group.length === 0 ? {} : { group: group.join('.') }), kind },
  };
};

/** Where nothing is: what a path that nobody serves answers. */
export const nowhere: Refused = {
  code: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
  details: {},
};

/** An object without what differs from run to run. */
export function plain(object: unknown): unknown {
  const { metadata, ...rest } = object as KubeObject;
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, managedFields: _fields, ...said } = metadata;
  return { ...rest, metadata: said };
}

/** Text that looks like this. */
export const like = (pattern: RegExp): string => expect.stringMatching(pattern) as string;
export const anyText = (): string => expect.any(String) as string;
export const time = (): string => like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

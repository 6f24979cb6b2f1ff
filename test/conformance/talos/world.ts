import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type Code, type Heard, type Identity, RawCaller } from './call.ts';
import { controlPlaneConfig, workerConfig } from './configs.ts';
import { decodeAnswer, encodeRequest, pathOf } from './methods.ts';
import { issue, makeAuthority, makeSecrets, type Secrets } from './pki.ts';

/** Three machines that come up in maintenance mode: twins, or real nodes. */
export type Target = {
  readonly kind: 'twin' | 'real';
  readonly maintenance: Place;
  readonly controlPlane: Place;
  readonly worker: Place;
  /** An address of the same network where nobody is. */
  readonly nobody: string;
  /** Documents for the configurations that only this place needs. */
  readonly extraDocuments: string;
  /** How long a call that gives no answer is waited for, and how long anything else. */
  readonly patienceMs: number;
  readonly limitMs: number;
};

export type Place = { readonly name: string; readonly address: string };

export type Role =
  | 'admin'
  | 'operator'
  | 'reader'
  | 'backup'
  | 'meta'
  | 'verifier'
  | 'impersonator'
  | 'none'
  | 'unknown';

export const roleNames: Readonly<Record<Role, readonly string[]>> = {
  admin: ['os:admin'],
  operator: ['os:operator'],
  reader: ['os:reader'],
  backup: ['os:etcd:backup'],
  meta: ['os:meta:writer'],
  verifier: ['os:image:verifier'],
  impersonator: ['os:impersonator'],
  none: [],
  unknown: ['os:nope'],
};

export type Where = 'maintenance' | 'controlPlane' | 'worker';

export type Options = {
  readonly as?: Role | 'nobody' | Identity;
  readonly port?: number;
  readonly metadata?: Readonly<Record<string, string | readonly string[]>>;
  readonly take?: number;
  readonly onFirst?: () => void;
  readonly waitMs?: number;
  readonly raw?: readonly Uint8Array[];
  readonly gzip?: boolean;
  readonly contentType?: string;
  readonly pretendLength?: number;
};

export type Answer = Heard & { readonly code: Code; readonly messages: readonly JsonValue[] };

/** What a case has in hand. */
export type World = AsyncDisposable & {
  readonly target: Target;
  readonly secrets: Secrets;
  readonly foreign: { readonly admin: Identity };
  readonly configs: { readonly controlPlane: string; readonly worker: string };
  readonly identities: Readonly<Record<Role, Identity>>;
  readonly caller: RawCaller;
  /** Without `as`: nobody in maintenance mode, an administrator elsewhere. */
  readonly call: (where: Where, method: string, request?: JsonObject, options?: Options) => Promise<Answer>;
  /** Asks again until the answer is as wanted, or time is up; then the last answer. */
  readonly until: (ask: () => Promise<Answer>, good: (answer: Answer) => boolean, limitMs?: number) => Promise<Answer>;
};

export async function makeWorld(target: Target): Promise<World> {
  const secrets = await makeSecrets();
  const roles = Object.entries(roleNames) as [Role, readonly string[]][];
  const identities = Object.fromEntries(
    await Promise.all(
      roles.map(async ([role, organizations]) => [role, await issue(secrets.talos, { organizations })]),
    ),
  ) as Record<Role, Identity>;
  const other = await makeAuthority('talos', { name: 'Ed25519' });
  const plan = { secrets, controlPlane: target.controlPlane.address, extra: target.extraDocuments };
  const caller = new RawCaller();

  const call: World['call'] = async (where, method, request = {}, options = {}) => {
    const as = options.as ?? (where === 'maintenance' ? 'nobody' : 'admin');
    const identity = as === 'nobody' ? undefined : typeof as === 'string' ? identities[as] : as;
    const heard = await caller.call({
      host: target[where].address,
      port: options.port ?? 50_000,
      path: pathOf(method),
      bodies: options.raw ?? [encodeRequest(method, request)],
      identity,
      waitMs: options.waitMs ?? target.limitMs,
      ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
      ...(options.take === undefined ? {} : { take: options.take }),
      ...(options.onFirst === undefined ? {} : { onFirst: options.onFirst }),
      ...(options.gzip === undefined ? {} : { gzip: options.gzip }),
      ...(options.pretendLength === undefined ? {} : { pretendLength: options.pretendLength }),
      ...(options.contentType === undefined ? {} : { contentType: options.contentType }),
    });
    return { ...heard, messages: heard.bodies.map((body) => decodeAnswer(method, body)) };
  };

  return {
    target,
    secrets,
    identities,
    foreign: { admin: await issue(other, { organizations: ['os:admin'] }) },
    configs: { controlPlane: controlPlaneConfig(plan), worker: workerConfig(plan) },
    caller,
    call,
    until: async (ask, good, limitMs = target.limitMs) => {
      const end = Date.now() + limitMs;
      for (;;) {
        const answer = await ask();
        if (good(answer) || Date.now() > end) return answer;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  };
}

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Api, User } from '../api.ts';

/** What a token is bound to besides its account; it ends with that. */
export type BoundObject = { readonly kind: string; readonly name: string; readonly uid?: string };

type TokenClaims = {
  readonly namespace: string;
  readonly account: { readonly name: string; readonly uid: string };
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound?: BoundObject | undefined;
};

export type AccountTokens = {
  readonly issuer: string;
  readonly issue: (claims: TokenClaims, id: string) => { readonly token: string; readonly expires: Date };
  /** Whose it is, and for whom; undefined: it is none of ours, or not any more. */
  readonly read: (token: string) => { readonly user: User; readonly audiences: readonly string[] } | undefined;
  /** PEM, of the public half. */
  readonly publicKey: () => KeyObject;
};

type Payload = {
  readonly aud?: readonly string[];
  readonly exp?: number;
  readonly nbf?: number;
  readonly iss?: string;
  readonly jti?: string;
  readonly sub?: string;
  readonly 'kubernetes.io'?: {
    readonly namespace?: string;
    readonly serviceaccount?: { readonly name?: string; readonly uid?: string };
    readonly pod?: { readonly name?: string; readonly uid?: string };
    readonly secret?: { readonly name?: string; readonly uid?: string };
    readonly node?: { readonly name?: string; readonly uid?: string };
  };
};

/** Tokens of service accounts: signed by the cluster, good while what they name is there. */
export function accountTokens(
  api: Pick<Api, 'get'>,
  now: () => Date,
  issuer: string,
  pem: string | undefined,
): AccountTokens {
  let pair: { readonly secret: KeyObject; readonly open: KeyObject } | undefined;
  // Most clusters of a lab never issue one.
  const keys = () => (pair ??= keysOf(pem));
  return {
    issuer,
    publicKey: () => keys().open,
    issue: ({ namespace, account, audiences, seconds, bound }, id) => {
      const iat = Math.floor(now().getTime() / 1000);
      const payload = {
        aud: audiences,
        exp: iat + seconds,
        iat,
        iss: issuer,
        jti: id,
        'kubernetes.io': {
          namespace,
          ...(bound === undefined ? {} : { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } }),
          serviceaccount: account,
        },
        nbf: iat,
        sub: `system:serviceaccount:${namespace}:${account.name}`,
      };
      return { token: signed(keys().secret, keys().open, payload), expires: new Date((iat + seconds) * 1000) };
    },
    read: (token) => {
      const payload = opened(keys().open, token);
      if (payload === undefined || payload.iss !== issuer) return undefined;
      const seconds = now().getTime() / 1000;
      if (seconds >= (payload.exp ?? 0) || seconds + 1 < (payload.nbf ?? 0)) return undefined;
      const { namespace = '', serviceaccount, pod, secret } = payload['kubernetes.io'] ?? {};
      const account = api.get('/serviceaccounts', namespace, serviceaccount?.name ?? '');
      if (account === undefined || account.metadata.uid !== serviceaccount?.uid) return undefined;
      const isThere = (resource: string, ref: { readonly name?: string; readonly uid?: string } | undefined): boolean =>
        ref === undefined || api.get(resource, namespace, ref.name ?? '')?.metadata.uid === ref.uid;
      if (!isThere('/pods', pod) || !isThere('/secrets', secret)) return undefined;
      return { audiences: payload.aud ?? [], user: userOf(namespace, account.metadata, payload.jti, pod) };
    },
  };
}

const userOf = (
  namespace: string,
  account: { readonly name?: string; readonly uid?: string },
  id: string | undefined,
  pod: { readonly name?: string; readonly uid?: string } | undefined,
): User => ({
  name: `system:serviceaccount:${namespace}:${account.name ?? ''}`,
  uid: account.uid ?? '',
  groups: accountGroups(namespace),
  extra: {
    ...(id === undefined ? {} : { 'authentication.kubernetes.io/credential-id': [`JTI=${id}`] }),
    ...(pod === undefined
      ? {}
      : {
          'authentication.kubernetes.io/pod-name': [pod.name ?? ''],
          'authentication.kubernetes.io/pod-uid': [pod.uid ?? ''],
        }),
  },
});

export const accountGroups = (namespace: string): readonly string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

function keysOf(pem: string | undefined) {
  const secret =
    pem === undefined ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey : createPrivateKey(pem);
  return { secret, open: createPublicKey(secret) };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const algorithm = (key: KeyObject): string => (key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256');

export const keyId = (open: KeyObject): string =>
  createHash('sha256')
    .update(open.export({ type: 'spki', format: 'der' }))
    .digest('base64url');

function signed(secret: KeyObject, open: KeyObject, payload: object): string {
  const text = `${encode({ alg: algorithm(secret), kid: keyId(open) })}.${encode(payload)}`;
  const signature = sign('sha256', Buffer.from(text), { key: secret, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

function opened(open: KeyObject, token: string): Payload | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || signature === '') return undefined;
  try {
    const isOurs = verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      { key: open, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    return isOurs ? (JSON.parse(Buffer.from(body, 'base64url').toString()) as Payload) : undefined;
  } catch {
    return undefined;
  }
}

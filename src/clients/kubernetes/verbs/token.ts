import type { ObjectRef } from '../../kubernetes.ts';
import { readJson } from '../json.ts';
import { pathOf } from '../path.ts';
import { askedFor, namespaceOf, withMapping, type Asking } from './asking.ts';

type TokenRequest = { readonly status: { readonly token: string; readonly expirationTimestamp: string } };

/** Nothing is kept of a token: another one instead of a lost one changes nothing. */
export const token = (
  asking: Asking,
  account: ObjectRef,
  options: { readonly audiences?: readonly string[]; readonly expirationSeconds?: number },
  signal: AbortSignal,
): Promise<{ readonly token: string; readonly expires: Date }> =>
  withMapping(asking, account, signal, async (mapping) => {
    const at = { ...account, namespace: namespaceOf(mapping, account.namespace, asking), subresource: 'token' };
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: options };
    const asked = askedFor(asking, mapping, 'create', at);
    const { text } = await asking.caller.call(
      {
        asked,
        outgoing: {
          method: 'POST',
          path: pathOf(mapping, at),
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        },
        repeatable: true,
      },
      signal,
    );
    const { status } = readJson(text, asked) as TokenRequest;
    return { token: status.token, expires: new Date(status.expirationTimestamp) };
  });

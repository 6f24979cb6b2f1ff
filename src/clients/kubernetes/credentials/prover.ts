import type { KubernetesTarget, KubernetesTools } from '../../kubernetes.ts';
import { execProver } from './exec.ts';
import { always, bearer, type Identity, type Prover } from './proof.ts';
import { tokenFile } from './token-file.ts';

/** Proves who we are by what the target says. Over a connection that anybody can read nothing secret is sent. */
export function proverOf(target: KubernetesTarget, secure: boolean, tools: KubernetesTools): Prover {
  const { credentials } = target;
  if (!secure) return always({ identity: { certificate: undefined }, authorization: undefined });
  const now = tools.now ?? (() => new Date());
  const identity: Identity = {
    certificate:
      credentials.kind === 'certificate'
        ? { crt: credentials.crt, key: credentials.key }
        : credentials.kind === 'nobody'
          ? undefined
          : credentials.certificate,
  };
  switch (credentials.kind) {
    case 'certificate':
    case 'nobody':
      return always({ identity, authorization: undefined });
    case 'token':
      return always({ identity, authorization: bearer(credentials.token) });
    case 'password': {
      const pair = `${credentials.username}:${credentials.password}`;
      return always({ identity, authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    }
    case 'token-file':
      return tokenFile(credentials, identity, now);
    case 'exec':
      return execProver(credentials.plugin, target, identity, { ...tools, now });
  }
}

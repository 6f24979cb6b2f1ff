import { serveKubernetes } from '../../../src/lab/kubernetes/serve.ts';
import { startKubernetesTwin } from '../../../src/lab/kubernetes/start.ts';
import type { KubernetesOptions, KubernetesTwin } from '../../../src/lab/kubernetes/twin.ts';
import { makeAuthority } from './pki.ts';
import { people, type Target } from './target.ts';

const token = 'token-of-an-administrator';

/** A twin on a socket of its own, with an administrator and the people of the suite. */
export async function startTwinTarget(
  clients?: string,
  options: KubernetesOptions = {},
): Promise<Target & { readonly twin: KubernetesTwin }> {
  const authority = await makeAuthority('twin');
  const { crt: certificate, key } = await authority.server('127.0.0.1');
  const clientAuthorities = clients === undefined ? [] : [clients];
  const twin = startKubernetesTwin({
    clientAuthorities,
    tokens: { ...people, [token]: { user: 'admin', groups: ['system:masters'] } },
    serviceCidr: '10.96.0.0/16',
    ...options,
  });
  const served = await serveKubernetes(twin, { certificate, key, clientAuthorities });
  return {
    twin,
    url: served.url,
    ca: authority.crt,
    token,
    patienceMs: 3000,
    forget: async () => twin.fail({ kind: 'forget' }),
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await twin[Symbol.asyncDispose]();
    },
  };
}

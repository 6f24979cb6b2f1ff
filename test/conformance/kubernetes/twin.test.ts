import { serveKubernetes } from '../../../src/lab/kubernetes/serve.ts';
import { startKubernetesTwin } from '../../../src/lab/kubernetes/start.ts';
import { makeAuthority } from './pki.ts';
import { conformance } from './suite.ts';
import { people } from './target.ts';

/** Cases that the twin does not hold yet. */
const notYet: readonly string[] = [
  'definitions: a rule about a field that there is none of',
  'definitions: a rule that is not CEL',
  'definitions: without versions',
  'discovery: OpenAPI v3 has a document for each version',
  'kinds: a service is given an address',
  'kinds: another image for a pod may be, another node not',
  'namespaces: a namespace waits for the finalizers of what is in it, and says so',
  'subresources: a binding puts a pod onto a node',
  'subresources: logs of a pod that is on no node are nothing',
  'tables: a service',
];

conformance({
  name: 'the twin',
  startTimeoutMs: 30_000,
  notYet,
  start: async (clients) => {
    const token = 'token-of-an-administrator';
    const authority = await makeAuthority('twin');
    const { crt: certificate, key } = await authority.server('127.0.0.1');
    const twin = startKubernetesTwin({
      clientAuthorities: [clients],
      tokens: { ...people, [token]: { user: 'admin', groups: ['system:masters'] } },
      serviceCidr: '10.96.0.0/16',
    });
    const served = await serveKubernetes(twin, { certificate, key, clientAuthorities: [clients] });
    return {
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
  },
});

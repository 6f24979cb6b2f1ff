import { serveKubernetes } from '../../../src/lab/kubernetes/serve.ts';
import { startKubernetesTwin } from '../../../src/lab/kubernetes/start.ts';
import { makeAuthority } from './pki.ts';
import { conformance } from './suite.ts';
import { people } from './target.ts';

/** Cases that the twin does not hold yet. */
const notYet: readonly string[] = [
  'watching: what the server has forgotten',
  'custom resources: another kind',
  'custom resources: a strategic merge patch',
  'custom resources: a scale without replicas',
  'custom resources: applied lists with keys merge by them',
  'custom resources: to apply what the schema does not know',
  'custom resources: to apply a field of somebody else',
  'definitions: what it defines goes with it',
  'definitions: without versions',
  'definitions: a rule that is not CEL',
  'definitions: a rule about a field that there is none of',
  'definitions: a group that is not there',
  'subresources: logs of a pod that is on no node are nothing',
  'subresources: the finalizers of a namespace are a subresource',
  'access: a user of a token',
  'access: whose token is this',
  'namespaces: a namespace waits for the finalizers of what is in it, and says so',
  'namespaces: the namespaces of the system stay',
  'kinds: an event is kept, and found by what it is about',
  'discovery: OpenAPI v3 has a document for each version',
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

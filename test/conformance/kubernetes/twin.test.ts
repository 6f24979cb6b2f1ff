import { serveKubernetes } from '../../../src/lab/kubernetes/serve.ts';
import { startKubernetesTwin } from '../../../src/lab/kubernetes/start.ts';
import { makeAuthority } from './pki.ts';
import { conformance } from './suite.ts';
import { people } from './target.ts';

/** Cases that the twin does not hold yet. */
const notYet: readonly string[] = [
  'JSON patches: what makes the object wrong',
  'deleting: a pod on a node is given its time',
  'listing: by a field of the kind',
  'listing: pods by their node and their phase',
  'reading: binary data of a secret comes back, text is folded in',
  'server-side apply: what is wrong',
  'updating: an immutable config map',
  'updating: the cluster address of a service',
  'updating: the selector of a deployment',
  'updating: the type of a secret',
  'watching: rows of a Table, with the columns in the first event alone',
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
      [Symbol.asyncDispose]: async () => {
        await served[Symbol.asyncDispose]();
        await twin[Symbol.asyncDispose]();
      },
    };
  },
});

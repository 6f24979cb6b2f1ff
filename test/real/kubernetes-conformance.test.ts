import { conformance } from '../conformance/kubernetes/suite.ts';
import { people } from '../conformance/kubernetes/target.ts';
import { startKube } from './kube.ts';
import { buildTimeoutMs } from './peers.ts';

conformance({
  name: 'the real kube-apiserver',
  startTimeoutMs: 4 * buildTimeoutMs,
  start: async (clients) => {
    const kube = await startKube({ controllers: true, tokens: people, clientAuthority: clients });
    return {
      url: kube.url,
      ca: kube.certificate,
      token: kube.token,
      patienceMs: 30_000,
      forget: kube.compact,
      [Symbol.asyncDispose]: () => kube[Symbol.asyncDispose](),
    };
  },
});

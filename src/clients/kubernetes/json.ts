import { KubernetesProblem, type Asked } from './problems/problem.ts';

/** What an API server answers with; portals and load balancers have pages instead. */
export function readJson(text: string, { doing, endpoint }: Asked): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KubernetesProblem(
      'kubernetes-not-an-api-server',
      `${endpoint} was asked to ${doing}, and answered with something else than JSON.`,
      {},
      {
        recovery: 'ask',
        remedy: `Look what answers there, and whether the server of the kubeconfig is right:\n    curl -k https://${endpoint}/version`,
      },
    );
  }
}

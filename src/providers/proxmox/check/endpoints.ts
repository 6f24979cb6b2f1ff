import { Problem } from '../../../model/problem.ts';
import type { Finding } from '../../provider.ts';
import { ProxmoxApi } from '../api/api.ts';
import { ApiProblem } from '../api/problem.ts';
import type { ProxmoxAccess, ProxmoxSettings } from '../settings.ts';
import type { ProxmoxTools } from '../tools.ts';
import { findingOf } from './finding.ts';

/** One endpoint of the file, and the API through nothing but it. */
export type EndpointAlone = { readonly url: string; readonly api: ProxmoxApi };

/** Nothing is dialled before it is asked. */
export function endpointsAlone(
  settings: ProxmoxSettings,
  access: ProxmoxAccess,
  tools: ProxmoxTools,
): readonly EndpointAlone[] {
  const first = { url: settings.endpoint, fingerprint: settings.tls.fingerprint };
  return [first, ...settings.endpoints].map(({ url, fingerprint }) => {
    const alone = { ...settings, endpoint: url, endpoints: [], tls: { ...settings.tls, fingerprint } };
    return { url, api: new ProxmoxApi(alone, access, tools) };
  });
}

/** Whoever asks several finds the one that answers; here each is asked, so that a dead one is known before it is needed. */
export function checkEndpoints(endpoints: readonly EndpointAlone[], signal: AbortSignal): Promise<readonly Finding[]> {
  return Promise.all(
    endpoints.map(({ url, api }) =>
      findingOf({
        about: 'endpoint',
        what: `${url} answers.`,
        look: async () => {
          try {
            await api.get({ path: '/version', doing: 'tell its version', once: true }, signal);
            return undefined;
          } catch (error) {
            if (!(error instanceof ApiProblem) || error.fate === 'refused' || endpoints.length === 1) throw error;
            return new Problem(error.code, `${error.message} The other endpoints are asked instead.`, {
              severity: 'warning',
              recovery: error.recovery,
              remedy: error.remedy,
            });
          }
        },
      }),
    ),
  );
}

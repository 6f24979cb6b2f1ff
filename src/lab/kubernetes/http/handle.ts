import type { IncomingMessage, ServerResponse } from 'node:http';
import { authorizeRequest } from '../access/forbidden.ts';
import { impersonated } from '../access/impersonate.ts';
import { forbidden, Refusal } from '../refusal.ts';
import type { SeenKubernetesRequest } from '../twin.ts';
import { Exchange } from './exchange.ts';
import { faultOf, refusalOf } from './faulty.ts';
import { formOfDocument } from './negotiate.ts';
import { answerPath } from './paths.ts';
import { isWrite, requestInfo } from './request-info.ts';
import { answerResource } from './resources.ts';
import type { ApiServer } from './server.ts';

/** Everything that happens to one request. */
export async function handle(
  server: ApiServer,
  request: IncomingMessage,
  response: ServerResponse,
  log: (seen: SeenKubernetesRequest) => void,
): Promise<void> {
  const info = requestInfo(request.method ?? 'GET', request.url ?? '/');
  const write = isWrite(info);
  const at = server.cluster.clock.now();
  const struck = server.faults.strike({ method: info.method, path: info.path });
  const exchange = new Exchange(response, isPretty(request, info.query));
  exchange.onDone = (status, who) => log({ at, method: info.method, path: info.path, who, status, write });
  try {
    const slow = faultOf(struck, 'delay');
    if (slow !== undefined) await server.cluster.clock.sleep(slow.delayMs ?? 1000, server.cluster.signal);
    if (faultOf(struck, 'lose-request') !== undefined) return exchange.lose(request);
    if (write && faultOf(struck, 'read-only') !== undefined)
      return exchange.refuse(forbidden({ group: '', resource: '' }, '', 'the lab is read-only'));
    const refuse = faultOf(struck, 'refuse');
    if (refuse !== undefined) return exchange.refuse(refusalOf(refuse));
    if (faultOf(struck, 'lose-answer') !== undefined) exchange.isLost = true;
    exchange.form = formOfDocument(request.headers.accept);
    const shown = server.authenticate(request);
    exchange.who = shown.name;
    const user = impersonated(server.authorize, shown, request.headers, info);
    authorizeRequest(server, user, info);
    if (info.resource === undefined) answerPath(server, info, request, exchange);
    else await answerResource({ server, target: info.resource, info, request, exchange, user, struck });
  } catch (error) {
    if (!(error instanceof Refusal) && server.cluster.signal.aborted) return exchange.lose(request);
    if (!response.headersSent) exchange.refuse(error);
    else exchange.lose(request);
  }
}

/** For people who look with their own eyes. */
const isPretty = (request: IncomingMessage, query: URLSearchParams): boolean => {
  const wish = query.get('pretty');
  if (wish !== null) return wish !== '0' && wish !== 'false';
  return /^(curl|Wget|Mozilla\/5\.0)/.test(request.headers['user-agent'] ?? '');
};

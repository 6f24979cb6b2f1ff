import type { IncomingMessage } from 'node:http';
import type { User } from '../api.ts';
import { apiGroups, apiVersions, groupOf, resourcesOf } from '../discovery/documents.ts';
import { noSuchResource } from '../refusal.ts';
import type { Exchange } from './exchange.ts';
import type { RequestInfo } from './request-info.ts';
import type { ApiServer } from './server.ts';
import { versionDocument } from './version.ts';

/** Everything that is no resource. */
export function answerPath(
  server: ApiServer,
  info: RequestInfo,
  _request: IncomingMessage,
  exchange: Exchange,
  _user: User,
): void {
  const { cluster } = server;
  const { registry } = cluster;
  const path = info.path.replace(/\/+$/, '');
  const [, root, first, second, ...more] = path.split('/');
  if (root === 'api' && first === undefined) return exchange.json(200, apiVersions());
  if (root === 'api' && first !== undefined && second === undefined)
    return give(exchange, resourcesOf(registry, '', first));
  if (root === 'apis' && first === undefined) return exchange.json(200, apiGroups(registry));
  if (root === 'apis' && first !== undefined && second === undefined) return give(exchange, groupOf(registry, first));
  if (root === 'apis' && first !== undefined && second !== undefined && more.length === 0)
    return give(exchange, resourcesOf(registry, first, second));
  if (path === '/version') return exchange.json(200, versionDocument(cluster.version));
  if (['/healthz', '/livez', '/readyz'].includes(path)) return exchange.text(200, 'ok');
  exchange.text(404, '404 page not found\n');
}

function give(exchange: Exchange, document: object | undefined): void {
  if (document === undefined) throw noSuchResource();
  exchange.json(200, document);
}

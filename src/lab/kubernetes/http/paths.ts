import type { IncomingMessage } from 'node:http';
import { aggregated, aggregatedType } from '../discovery/aggregated.ts';
import { apiGroups, apiVersions, groupOf, resourcesOf } from '../discovery/documents.ts';
import { groupsOf } from '../discovery/order.ts';
import { methodNotAllowed, noSuchResource, notAcceptable } from '../refusal.ts';
import type { Exchange } from './exchange.ts';
import { answerHealth } from './health.ts';
import { clausesOf } from './negotiate.ts';
import { openIdConfiguration, openIdKeys } from './openid.ts';
import type { RequestInfo } from './request-info.ts';
import type { ApiServer } from './server.ts';
import { metricsText, versionDocument } from './version.ts';

/** Everything that is no resource. */
export function answerPath(server: ApiServer, info: RequestInfo, request: IncomingMessage, exchange: Exchange): void {
  const path = info.path.replace(/(?<=.)\/+$/, '');
  const [, root, ...parts] = path.split('/');
  if (root === 'api' || root === 'apis') return answerDiscovery(server, root, parts, info, request, exchange);
  if (answerHealth(info, exchange)) return;
  const { cluster, tokens } = server;
  const address = request.headers.host ?? '';
  switch (path) {
    case '/version':
      if (info.method !== 'GET') throw methodNotAllowed();
      return exchange.json(200, JSON.stringify(versionDocument(cluster.version), undefined, 2));
    case '/metrics':
      return exchange.text(200, metricsText(cluster.store), 'text/plain; version=0.0.4; charset=utf-8');
    case '/.well-known/openid-configuration':
      return exchange.json(200, openIdConfiguration(tokens, address));
    case '/openid/v1/jwks':
      return exchange.json(200, openIdKeys(tokens), 'application/jwk-set+json');
    case '/':
      return exchange.json(200, { paths: rootPaths(server) });
    default:
      if (server.openApi(path, info, request, exchange)) return;
      exchange.text(404, '404 page not found\n');
  }
}

function answerDiscovery(
  { cluster }: ApiServer,
  root: 'api' | 'apis',
  [first, second]: readonly string[],
  { method }: RequestInfo,
  request: IncomingMessage,
  exchange: Exchange,
): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
  const { registry } = cluster;
  if (first === undefined) {
    if (wantsAggregated(request.headers.accept)) {
      const { text, tag } = aggregated(registry.definitions(), root);
      return exchange.tagged(text, tag, aggregatedType);
    }
    return exchange.json(200, root === 'api' ? apiVersions(request.headers.host ?? '') : apiGroups(registry));
  }
  if (root === 'apis' && second === undefined) {
    const group = groupOf(registry, first);
    if (group === undefined) return exchange.text(404, '404 page not found\n');
    return exchange.json(200, group);
  }
  const resources = root === 'api' ? resourcesOf(registry, '', first) : resourcesOf(registry, first, second ?? '');
  if (resources === undefined) throw noSuchResource();
  exchange.json(200, resources);
}

const readable = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** In one document, or one by one as ever; refused when it is neither. */
function wantsAggregated(accept: string | undefined): boolean {
  const clauses = clausesOf(accept ?? '').filter(({ type }) => /^(application|\*)\/(json|yaml|\*)$/.test(type));
  for (const { parameters } of clauses) {
    const as = parameters.get('as');
    if (as === undefined) return false;
    const isOurs = parameters.get('g') === 'apidiscovery.k8s.io' && parameters.get('v') === 'v2';
    if (as === 'APIGroupDiscoveryList' && isOurs) return true;
  }
  if ((accept ?? '') === '') return false;
  throw notAcceptable(readable);
}

const rootPaths = ({ cluster }: ApiServer): readonly string[] =>
  [
    '/.well-known/openid-configuration',
    '/api',
    '/api/v1',
    '/apis',
    ...groupsOf(cluster.registry.definitions())
      .filter(({ group }) => group !== '')
      .flatMap(({ group, versions }) => [
        `/apis/${group}`,
        ...versions.map(({ version }) => `/apis/${group}/${version}`),
      ]),
    '/healthz',
    '/livez',
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/openid/v1/jwks',
    '/readyz',
    '/version',
  ].sort();

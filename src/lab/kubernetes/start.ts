import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { wallClock } from '../clock.ts';
import { authenticator, certificatesOf } from './access/authenticate.ts';
import { accountTokens } from './access/account-tokens.ts';
import { aggregateClusterRoles } from './access/aggregation.ts';
import { bootstrapAccess } from './access/bootstrap.ts';
import { checkEscalation } from './access/escalation.ts';
import { rbacAuthorizer } from './access/rbac.ts';
import { reviewOf } from './access/reviews.ts';
import { tokenRequest } from './access/token-request.ts';
import { startCrdController } from './crd/controller.ts';
import { ContainerOutput } from './controllers/container-output.ts';
import { logsWith } from './controllers/logs.ts';
import { podSubresources } from './controllers/pod-subresources.ts';
import { startControllers } from './controllers/start.ts';
import { builtinResources } from './discovery/builtin.ts';
import { Registry, resourceKey } from './discovery/registry.ts';
import { firstObjects } from './first-objects.ts';
import { createFaults } from './faults.ts';
import { handle } from './http/handle.ts';
import { Watches } from './http/watches.ts';
import type { ApiServer } from './http/server.ts';
import { initialObjects } from './kinds/initial.ts';
import { openApiHandler } from './openapi/serve.ts';
import { randomSource } from './random.ts';
import { Store } from './store/store.ts';
import type { KubernetesFault, KubernetesOptions, KubernetesTwin, SeenKubernetesRequest, TwinNode } from './twin.ts';
import { apiOf } from './verbs/api.ts';
import type { Cluster } from './verbs/cluster.ts';
import { timestamp, uuid } from './verbs/meta.ts';

/** So many of the last requests are remembered at least. */
const kept = 10_000;

/** The API of a cluster without machines; whoever has some says so with `setNodes`. */
export function startKubernetesTwin(options: KubernetesOptions = {}): KubernetesTwin {
  const clock = options.clock ?? wallClock();
  const ending = new AbortController();
  // Every open watch and every controller waits for it.
  setMaxListeners(0, ending.signal);
  const { bytes, chance } = randomSource(options.seed ?? randomBytes(4).readUInt32LE());
  const store = new Store(() => clock.now());
  const registry = new Registry(builtinResources());
  const api = apiOf(() => cluster);
  const authorize = rbacAuthorizer(api);
  const issuer = options.endpoint ?? 'https://kubernetes.default.svc';
  const tokensOfAccounts = accountTokens(api, () => clock.now(), issuer, options.serviceAccountKey);
  const tokens = new Map(
    Object.entries(options.tokens ?? {}).map(([token, { user, groups }]) => [token, { name: user, uid: user, groups }]),
  );
  const output = new ContainerOutput();
  const cluster: Cluster = {
    store,
    registry,
    clock,
    version: options.version ?? 'v1.36.3',
    random: bytes,
    server: {
      get: (resource, namespace, name) => store.get(resource, namespace, name),
      list: (resource, namespace) => store.list(resource, namespace),
      random: bytes,
    },
    api,
    handlers: {
      ...podSubresources,
      '/pods/log': logsWith(output),
      '/serviceaccounts/token': tokenRequest(tokensOfAccounts),
    },
    signal: ending.signal,
    guard: (definition, next, old, user) => checkEscalation(api, authorize, definition, next, old, user),
    answer: (definition) => reviewOf(definition, { api, authorize, tokens: tokensOfAccounts, known: tokens }),
  };
  const server: ApiServer = {
    cluster,
    authenticate: authenticator({
      authorities: certificatesOf(options.clientAuthorities ?? []),
      now: () => clock.now(),
      tokens,
      account: (token) => tokensOfAccounts.read(token)?.user,
    }),
    authorize,
    faults: createFaults(chance),
    watches: new Watches(),
    tokens: tokensOfAccounts,
    openApi: openApiHandler(() => registry.definitions()),
  };
  const seen: SeenKubernetesRequest[] = [];
  const log = (request: SeenKubernetesRequest): void => {
    seen.push(request);
    if (seen.length > 2 * kept) seen.splice(0, kept);
  };
  for (const [resource, object] of firstObjects(options)) api.create(resource, object, { manager: 'kube-apiserver' });
  bootstrap(cluster, options.serviceCidr);
  startCrdController({
    api,
    serve: (definitions) => registry.setCustom(definitions),
    now: () => clock.now(),
    signal: ending.signal,
  });
  let nodes: readonly TwinNode[] = [];
  // Nobody has seen what was before the first request.
  store.forget();
  const controllers =
    options.controllers === 'off'
      ? undefined
      : startControllers({
          api,
          clock,
          durations: options.durations,
          nodes: () => nodes,
          seed: Math.floor(chance() * 2 ** 32),
          signal: ending.signal,
          options,
          output,
        });
  if (controllers !== undefined) aggregateClusterRoles(api);
  return {
    handle: (request, response) => void handle(server, request, response, log),
    api,
    setNodes: (next) => {
      nodes = next;
      controllers?.nodesChanged();
    },
    isReady: (node) => controllers?.isReady(node) === true,
    fail: (fault) => strike(server, fault, chance),
    heal: () => server.faults.clear(),
    requests: () => seen,
    [Symbol.asyncDispose]: async () => {
      ending.abort(new Error('the twin is over'));
      server.watches.dropAll();
    },
  };
}

/** Written as they are: nobody has to check what is the same everywhere. */
function bootstrap({ store, registry, clock, random }: Cluster, serviceCidr: string | undefined): void {
  const creationTimestamp = timestamp(clock.now());
  for (const object of [...bootstrapAccess(), ...initialObjects(creationTimestamp, serviceCidr)]) {
    const definition = registry.byKind(object.apiVersion, object.kind);
    if (definition === undefined) continue;
    store.put(resourceKey(definition), {
      ...object,
      metadata: { ...object.metadata, uid: uuid(random), creationTimestamp },
    });
  }
}

function strike(server: ApiServer, fault: KubernetesFault, chance: () => number): void {
  const isOnce = fault.match === undefined && fault.share === undefined && fault.times === undefined;
  switch (fault.kind) {
    case 'drop-watch':
    case 'silent-watch':
      server.watches.strike(fault, chance);
      if (fault.share !== undefined) server.faults.add(fault);
      return;
    case 'forget':
      if (isOnce) server.cluster.store.forget();
      else server.faults.add(fault);
      return;
    default:
      server.faults.add(fault);
  }
}

import type {
  Impersonation,
  KubernetesClient,
  KubernetesDeadlines,
  KubernetesTarget,
  KubernetesTools,
} from '../kubernetes.ts';
import { Caller } from './call.ts';
import { proverOf } from './credentials/prover.ts';
import { Discovery } from './discovery.ts';
import { pause as realPause } from './pause.ts';
import { dialAny } from './transport/any.ts';
import { endpointOf } from './transport/endpoint.ts';
import { Link } from './transport/link.ts';
import { throughProxy } from './transport/proxy.ts';
import { dialTcp } from './transport/tcp.ts';
import type { Asking } from './verbs/asking.ts';
import { logs } from './verbs/logs.ts';
import { get, list, raw, version } from './verbs/read.ts';
import { evict, remove } from './verbs/remove.ts';
import { token } from './verbs/token.ts';
import { watch } from './verbs/watch.ts';
import { apply, create, patch, replace } from './verbs/write.ts';

/** Bookmarks come about every minute. */
const usualDeadlines: KubernetesDeadlines = { dial: 10_000, answer: 65_000, silence: 100_000 };
const usualWidth = 16;

/** Nothing is dialled, read or run before something is asked for. */
export function openKubernetes(target: KubernetesTarget, tools: KubernetesTools = {}): KubernetesClient {
  const endpoint = endpointOf(target);
  const deadlines = { ...usualDeadlines, ...tools.deadlines };
  const { pause = realPause, now = () => new Date(), chance = Math.random, warn } = tools;
  const { connect: dial = dialTcp, others } = tools;
  const connect = others === undefined ? dial : dialAny(dial, others);
  const link = new Link(
    endpoint,
    {
      ca: target.ca,
      insecure: target.insecure,
      ...(others === undefined ? {} : { alsoNamed: () => others().map(({ host }) => host) }),
    },
    target.proxy === undefined ? connect : throughProxy(target.proxy, connect),
    deadlines,
  );
  const prover = proverOf(target, endpoint.secure, tools);
  if (target.insecure) {
    warn?.(
      `The certificate of ${endpoint.name} is not looked at: whoever is in between can read and change everything.`,
    );
  }
  const caller = new Caller({
    link,
    prover,
    pause,
    chance,
    now,
    headers: headersOf(target.as, tools.userAgent ?? 'ichor'),
    width: tools.concurrency ?? usualWidth,
    warned: warningsTo(warn),
  });
  const asking: Asking = { caller, discovery: new Discovery(caller), namespace: target.namespace };
  const watching = { pause, chance, now, silenceMs: deadlines.silence };

  return {
    target,
    version: (signal) => version(asking, signal),
    resources: (signal) => asking.discovery.resources(signal),
    silent: (signal) => asking.discovery.silent(signal),
    get: (ref, signal) => get(asking, ref, signal),
    list: (query, options, signal) => list(asking, query, options, signal),
    watch: (query, options, signal) => watch(asking, query, options, watching, signal),
    logs: (pod, options, signal) => logs(asking, pod, options, deadlines.answer, signal),
    raw: (path, signal) => raw(asking, path, signal),
    create: (object, options, signal) => create(asking, object, options, signal),
    replace: (object, options, signal) => replace(asking, object, options, signal),
    patch: (ref, change, options, signal) => patch(asking, ref, change, options, signal),
    apply: (object, options, signal) => apply(asking, object, options, signal),
    delete: (ref, options, signal) => remove(asking, ref, options, signal),
    evict: (pod, options, signal) => evict(asking, pod, options, signal),
    token: (account, options, signal) => token(asking, account, options, signal),
    async [Symbol.asyncDispose]() {
      prover.close();
      await link.close();
    },
  };
}

function headersOf(as: Impersonation | undefined, userAgent: string): Record<string, string | string[]> {
  const own = { accept: 'application/json', 'user-agent': userAgent };
  if (as === undefined) return own;
  const extra = Object.entries(as.extra ?? {}).map(([key, values]) => [
    // Whatever a header’s name cannot hold is written as in a URL.
    `Impersonate-Extra-${encodeURIComponent(key.toLowerCase())}`,
    [...values],
  ]);
  return {
    ...own,
    'Impersonate-User': as.user,
    ...(as.uid === undefined ? {} : { 'Impersonate-Uid': as.uid }),
    ...(as.groups.length === 0 ? {} : { 'Impersonate-Group': [...as.groups] }),
    ...(Object.fromEntries(extra) as Record<string, string[]>),
  };
}

/** What servers warn of with an answer, each once. */
function warningsTo(warn: ((message: string) => void) | undefined) {
  const told = new Set<string>();
  return ({ headers }: { readonly headers: Readonly<Record<string, string | string[] | undefined>> }): void => {
    const { warning } = headers;
    if (warning === undefined || warn === undefined) return;
    for (const line of Array.isArray(warning) ? warning : [warning]) {
      const text = /^\d{3} \S+ "((?:[^"\\]|\\.)*)"/.exec(line)?.[1]?.replaceAll(/\\(.)/g, '$1');
      if (text === undefined || told.has(text)) continue;
      told.add(text);
      warn(text);
    }
  };
}

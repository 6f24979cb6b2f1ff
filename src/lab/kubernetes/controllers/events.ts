import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { LabClock } from '../../clock.ts';
import type { Api } from '../api.ts';
import { Refusal } from '../refusal.ts';
import type { Controller } from './loop.ts';
import { microTimestamp, timestamp } from './tools.ts';

type Happened = {
  readonly about: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: KubeObject['metadata'];
  };
  readonly type?: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** `kubelet`, `deployment-controller` … */
  readonly from: string;
  readonly host?: string;
  /** `spec.containers{app}` */
  readonly field?: string;
  /** What was being done; of those who write events in the newer way. */
  readonly action?: string;
};

/** Tells what happened, for people; the same thing again is counted. */
export type Recorder = (happened: Happened) => void;

const keptMs = 3_600_000;

/** Events are kept for an hour. */
export function createRecorder(tools: { readonly api: Api; readonly clock: LabClock }): {
  readonly record: Recorder;
  readonly controller: Controller;
} {
  const { api, clock } = tools;
  let told = 0n;
  let sweepsAt = 0;
  const known = new Map<string, { readonly namespace: string; readonly name: string; readonly at: number }>();
  const record: Recorder = (happened) => {
    const { about, type = 'Normal', reason, message, from, host, field, action } = happened;
    const namespace = about.metadata.namespace ?? 'default';
    const key = [about.metadata.uid, about.kind, about.metadata.name, type, reason, message, from, host, field].join(
      '|',
    );
    const now = clock.now();
    const seen = known.get(key);
    if (seen !== undefined && again(api, seen, now)) return;
    // Names grow with time: what happened within a second is listed in its order.
    const name = `${about.metadata.name ?? ''}.${(BigInt(now.getTime()) * 1_000_000n + told++).toString(16)}`;
    try {
      api.create(
        '/events',
        {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name, namespace },
          involvedObject: {
            kind: about.kind,
            ...(about.metadata.namespace === undefined ? {} : { namespace }),
            name: about.metadata.name,
            uid: about.metadata.uid,
            apiVersion: about.apiVersion,
            ...(about.metadata.resourceVersion === undefined
              ? {}
              : { resourceVersion: about.metadata.resourceVersion }),
            ...(field === undefined ? {} : { fieldPath: field }),
          },
          reason,
          message,
          type,
          ...(action === undefined
            ? {
                source: { component: from, ...(host === undefined ? {} : { host }) },
                firstTimestamp: timestamp(now),
                lastTimestamp: timestamp(now),
                count: 1,
                eventTime: null,
                reportingComponent: from,
                reportingInstance: host ?? '',
              }
            : {
                source: {},
                firstTimestamp: null,
                lastTimestamp: null,
                eventTime: microTimestamp(now),
                action,
                reportingComponent: from,
                reportingInstance: `${from}-twin`,
              }),
        },
        { manager: from },
      );
      known.set(key, { namespace, name, at: now.getTime() });
    } catch (error) {
      // A namespace that ends takes no events any more.
      if (!(error instanceof Refusal)) throw error;
    }
  };
  return {
    record,
    controller: {
      name: 'events',
      watches: { '/events': (_, old) => (old === undefined ? ['all'] : []) },
      reconcile: () => {
        const now = clock.now().getTime();
        if (sweepsAt > now) return sweepsAt - now;
        for (const event of api.list('/events')) {
          const { namespace, name = '', creationTimestamp } = event.metadata;
          const last = event['lastTimestamp'] ?? event['eventTime'] ?? creationTimestamp;
          if (now - Date.parse(last as string) >= keptMs)
            api.delete('/events', namespace, name, {}, { manager: 'kube-apiserver' });
        }
        for (const [key, { at }] of known) if (now - at >= 2 * keptMs) known.delete(key);
        sweepsAt = now + keptMs / 4;
        return api.list('/events').length > 0 ? keptMs / 4 : undefined;
      },
    },
  };
}

function again(api: Api, { namespace, name }: { namespace: string; name: string }, now: Date): boolean {
  const changed = api.update(
    '/events',
    namespace,
    name,
    (event) => {
      if (event['eventTime'] === null || event['eventTime'] === undefined) {
        event['count'] = Number(event['count'] ?? 1) + 1;
        event['lastTimestamp'] = timestamp(now);
      } else {
        const series = event['series'] as { count?: number } | undefined;
        event['series'] = { count: (series?.count ?? 1) + 1, lastObservedTime: microTimestamp(now) };
      }
    },
    { manager: 'events' },
  );
  return changed !== undefined;
}

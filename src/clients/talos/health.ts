import { Problem } from '../../model/problem.ts';
import type { CheckHealth, HealthCheck } from '../talos.ts';
import { etcdChecks } from './health/etcd.ts';
import { componentChecks, readinessChecks } from './health/kubernetes.ts';
import { machineChecks } from './health/machines.ts';
import type { Check, Cluster, Verdict } from './health/check.ts';
import { OwnHealth } from './health/own.ts';
import { growingPauses, pause } from './pause.ts';
import { within } from '../../model/signals.ts';

const minute = 60_000;

/** In the order in which Talos itself makes them. */
const checks: readonly Check[] = [...etcdChecks, ...machineChecks, ...componentChecks, ...readinessChecks];

/** Waiting cannot help against these: they are about us and not about the cluster. */
const final = new Set([
  'talos-not-authorized',
  'talos-configured',
  'talos-certificate-expired',
  'talos-certificate-unfit',
  'talos-other-cluster',
  'talos-other-name',
  'talos-fingerprint-changed',
]);

export const checkHealth: CheckHealth = async function* (nodes, options, signal) {
  using soon = within(options.deadlineMs ?? 20 * minute, signal);
  const cluster: Cluster = { nodes, kubernetes: options.kubernetes, own: new OwnHealth() };
  for (const check of checks) {
    let last: HealthCheck | undefined;
    for await (const report of reports(check, cluster, soon)) {
      last = report;
      yield report;
      if (report.state === 'failed') return;
    }
    signal.throwIfAborted();
    if (last?.state === 'waiting') {
      yield { name: check.name, state: 'failed', detail: last.detail === '' ? 'no answer in time' : last.detail };
      return;
    }
  }
};

/** Ends without a verdict when the time is over. */
async function* reports(
  check: Check,
  cluster: Cluster,
  signal: AbortSignal,
): AsyncGenerator<HealthCheck, void, undefined> {
  const report = (state: HealthCheck['state'], detail: string): HealthCheck => ({ name: check.name, state, detail });
  let detail = '';
  yield report('waiting', detail);
  for (const ms of growingPauses()) {
    const verdict = await judged(check, cluster, signal);
    if (verdict === undefined) return;
    if ('ok' in verdict) return yield report('ok', '');
    if ('skip' in verdict) return yield report('skipped', verdict.skip);
    if ('failed' in verdict) return yield report('failed', verdict.failed);
    if (verdict.missing !== detail) yield report('waiting', (detail = verdict.missing));
    const over = await pause(ms, signal).catch(() => 'over' as const);
    if (over === 'over') return;
  }
}

type Judged = Verdict | { readonly failed: string } | undefined;

async function judged(check: Check, cluster: Cluster, signal: AbortSignal): Promise<Judged> {
  try {
    return await check.look(cluster, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof Problem)) throw error;
    return final.has(error.code) ? { failed: error.message } : { missing: error.message };
  }
}

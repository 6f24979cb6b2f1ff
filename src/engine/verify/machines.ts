import type { TalosReader } from '../../clients/talos.ts';
import { Problem } from '../../model/problem.ts';
import type { World } from '../../model/world.ts';
import type { Platform } from '../../spec/platform.ts';
import { lockedOut, statusIn } from '../status.ts';
import { ofAll, skipped, unless, type Check } from './check.ts';

/** A machine of ours that answers, and a line to it. */
export type Speaking = {
  readonly name: string;
  readonly role: 'control-plane' | 'worker';
  readonly address: string;
  readonly talos: TalosReader;
};

/** Machines and nodes are there, run, and have the versions that the file asks for. */
export function machineChecks(platform: Platform, world: World): readonly Check[] {
  const { talos, kubernetes } = platform.cluster;
  const { machines } = statusIn(platform, world, { plan: undefined, vipHolder: undefined, lastRun: undefined });
  const wanted = machines.filter((machine) => machine.wanted);
  const name = platform.name;
  const up = wanted.filter(({ stage }) => stage !== 'running');
  const otherTalos = wanted.filter((each) => each.talos !== undefined && each.talos !== talos.version);
  const otherKubernetes = wanted.filter(
    (each) => each.kubernetes !== undefined && each.kubernetes !== kubernetes.version,
  );
  const unready = wanted.filter(({ node }) => node !== 'ready');
  const cordoned = wanted.filter(({ node, schedulable }) => node === 'ready' && schedulable === false);
  const locked = lockedOut(world);
  const sayTalos = wanted.map((each) => ({ name: each.name, seen: each.talos !== undefined }));
  const sayKubernetes = wanted.map((each) => ({ name: each.name, seen: each.kubernetes !== undefined }));
  return [
    unless(
      'machines',
      `All ${wanted.length} machines run Talos.`,
      up.map((each) => `${each.name}: ${each.wrong[0] ?? each.stage}`),
      `Look at what would be done about it:\n    ichor plan --only ${name}`,
    ),
    ofAll(
      sayTalos,
      'no machine says',
      unless(
        'machines',
        `All have Talos ${talos.version}.`,
        otherTalos.map((each) => `${each.name} has ${each.talos}`),
        `Bring them to the version of the file:\n    ichor up --only ${name}`,
      ),
    ),
    locked !== undefined
      ? skipped('nodes', 'All machines are Ready nodes.', locked)
      : world.nodes.kind === 'unknown'
        ? unless('nodes', 'All machines are Ready nodes.', [world.nodes.because], apiRemedy(platform))
        : unless(
            'nodes',
            'All machines are Ready nodes.',
            unready.map((each) => `${each.name}: ${each.wrong.at(-1) ?? 'it is no node'}`),
            'See what it waits for:\n    kubectl describe nodes',
          ),
    ofAll(
      sayKubernetes,
      'no node says',
      unless(
        'nodes',
        `All have Kubernetes ${kubernetes.version}.`,
        otherKubernetes.map((each) => `${each.name} has ${each.kubernetes}`),
        `Bring them to the version of the file:\n    ichor up --only ${name}`,
      ),
    ),
    ofAll(
      sayKubernetes,
      'no node says',
      unless(
        'nodes',
        'All nodes take pods.',
        cordoned.map((each) => `${each.name} is cordoned`),
        cordoned[0] === undefined ? '' : `Let it work again:\n    kubectl uncordon ${cordoned[0].name}`,
        'warning',
      ),
    ),
  ];
}

const apiRemedy = ({ cluster }: Platform): string =>
  `Ask the API server itself:\n    kubectl get --raw /readyz --server https://${cluster.endpoint.vip ?? cluster.endpoint.host ?? '127.0.0.1'}:${cluster.endpoint.port}`;

/** Clocks: certificates, etcd and tokens all go by them. */
export async function clockCheck(speaking: readonly Speaking[], signal: AbortSignal): Promise<Check> {
  const what = 'Every machine’s clock is in step with its time server.';
  if (speaking.length === 0) return skipped('time', what, 'no machine answers');
  const query = { type: 'TimeStatuses.v1alpha1.talos.dev', namespace: 'runtime', id: 'node' };
  const asked = speaking.map(async ({ name, address, talos }) => {
    const found = await talos.get(query, signal).catch(orProblem);
    if (found instanceof Problem) return { name, address, why: found.message };
    const { synced = false, syncDisabled = false } = (found?.spec ?? {}) as {
      synced?: boolean;
      syncDisabled?: boolean;
    };
    return { name, address, why: synced || syncDisabled ? undefined : 'it has not found the time yet' };
  });
  const wrong = (await Promise.all(asked)).filter(({ why }) => why !== undefined);
  return unless(
    'time',
    what,
    wrong.map(({ name, why }) => `${name}: ${why}`),
    `See which server it asks:\n    ichor talos get timeserverstatus -n ${wrong[0]?.address ?? ''}`,
  );
}

export const orProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  throw error;
};

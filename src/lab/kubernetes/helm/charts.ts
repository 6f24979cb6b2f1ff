import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { ciliumObjects } from './cilium.ts';
import { HelmError, type HelmOrder } from './order.ts';
import type { Values } from './record.ts';

/** A chart as far as the lab has it. */
export type RenderedChart = {
  readonly metadata: {
    readonly name: string;
    readonly version: string;
    readonly appVersion: string;
    readonly description: string;
  };
  readonly objects: readonly KubeObject[];
  readonly notes: string;
};

const ciliumRepository = /^https:\/\/helm\.cilium\.io\/?$/;
const newestCilium = '1.19.0';

/** The internet of the lab has one chart: Cilium’s, of its own repository or of any registry, in every version. */
export function renderedChart(order: HelmOrder, values: Values): RenderedChart {
  const { chart, repository, namespace } = order;
  const isRegistry = chart.startsWith('oci://');
  if (!isRegistry && repository === undefined)
    throw new HelmError(`Error: repo ${chart.split('/')[0] ?? ''} not found`);
  if (!isRegistry && !ciliumRepository.test(repository ?? ''))
    throw new HelmError(
      `Error: looks like "${repository ?? ''}" is not a valid chart repository or cannot be reached: the lab has no other internet than https://helm.cilium.io`,
    );
  const name = chart.split('/').at(-1) ?? '';
  const version = order.version ?? newestCilium;
  const at = isRegistry ? chart : `${repository ?? ''} repository`;
  if (name !== 'cilium') throw new HelmError(`Error: chart "${name}" version "${version}" not found in ${at}`);
  if (!/^v?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new HelmError(`Error: chart "cilium" matching ${version} not found in ${at}`);
  const plain = version.replace(/^v/, '');
  return {
    metadata: {
      name,
      version: plain,
      appVersion: plain,
      description: 'eBPF-based Networking, Security, and Observability',
    },
    objects: ciliumObjects(plain, namespace, values),
    notes: `You have successfully installed Cilium.\n\nYour release version is ${plain}.`,
  };
}

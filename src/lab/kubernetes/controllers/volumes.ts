import type { Api } from '../api.ts';
import type { Pod } from './shapes.ts';

/** Why a volume of a pod cannot be mounted, in the kubelet’s words. */
export function missingVolume(api: Api, pod: Pod): string | undefined {
  const absent = (
    kind: 'secret' | 'configmap',
    name: string | undefined,
    optional: boolean | undefined,
  ): string | undefined =>
    name === undefined || optional === true || api.get(`/${kind}s`, pod.metadata.namespace, name) !== undefined
      ? undefined
      : `${kind} "${name}" not found`;
  for (const { name, secret, configMap, projected } of pod.spec.volumes ?? []) {
    const why =
      absent('secret', secret?.secretName, secret?.optional) ??
      absent('configmap', configMap?.name, configMap?.optional) ??
      (projected?.sources ?? [])
        .map(
          (each) =>
            absent('secret', each.secret?.name, each.secret?.optional) ??
            absent('configmap', each.configMap?.name, each.configMap?.optional),
        )
        .find((each) => each !== undefined);
    if (why !== undefined) return `MountVolume.SetUp failed for volume "${name}" : ${why}`;
  }
  return undefined;
}

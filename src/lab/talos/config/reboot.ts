import { documentsToText } from './encode.ts';
import { unifiedDiff } from './diff.ts';
import { loadConfig, type Loaded } from './load.ts';
import type { Values } from './reading.ts';
import type { RebootNeed } from './verdict.ts';
import { versionParts } from './version.ts';

/** Parts of `machine` that a running node takes over. */
const immediate =
  'ca acceptedCAs time certSANs install network sysfs sysctls logging controlPlane kubelet kernel registries pods seccompProfiles nodeAnnotations nodeLabels nodeTaints'.split(
    ' ',
  );
const immediateFeatures = 'kubernetesTalosAPIAccess kubePrism hostDNS imageCache nodeAddressSortAlgorithm'.split(' ');

/** What a change of the whole configuration looks like; empty when nothing changes. */
export function configDiff(before: string | undefined, after: string, version: string): string {
  const { minor } = versionParts(version);
  const text = (config: string | undefined): string =>
    config === undefined ? '' : documentsToText(loadConfig(config, minor), minor);
  return unifiedDiff(text(before), text(after));
}

/** Whether a running node must reboot for the change from one accepted configuration to another. */
export function rebootNeed(before: string, after: string, version: string): RebootNeed {
  const { minor } = versionParts(version);
  const [current, wanted] = [mainOf(loadConfig(before, minor)), mainOf(loadConfig(after, minor))];
  if (current === undefined) return { needed: true, text: 'current config is not v1alpha1', diff: '' };
  if (wanted === undefined) return { needed: true, text: 'new config is not v1alpha1', diff: '' };
  const rest = { ...wanted, values: withoutImmediate(wanted.values, current.values) };
  const diff = unifiedDiff(documentsToText([current], minor), documentsToText([rest], minor));
  return diff === ''
    ? { needed: false, text: '', diff }
    : { needed: true, text: `this config change can't be applied in immediate mode\ndiff:\n${diff}`, diff };
}

const mainOf = (loaded: readonly Loaded[]): Loaded | undefined => loaded.find(({ kind }) => kind === 'v1alpha1');

/** The new one with everything in it as it is now that needs no reboot. */
function withoutImmediate(wanted: Values, current: Values): Values {
  const [machine, now] = [wanted['machine'] as Values | undefined, current['machine'] as Values | undefined];
  const top = taken(wanted, current, ['debug', 'cluster']);
  if (machine === undefined || now === undefined) return top;
  const [features, nowFeatures] = [machine['features'] as Values | undefined, now['features'] as Values | undefined];
  const both = features !== undefined && nowFeatures !== undefined;
  return {
    ...top,
    machine: {
      ...taken(machine, now, immediate),
      ...(both ? { features: taken(features, nowFeatures, immediateFeatures) } : {}),
    },
  };
}

const taken = (into: Values, from: Values, keys: readonly string[]): Values => ({
  ...Object.fromEntries(Object.entries(into).filter(([key]) => !keys.includes(key))),
  ...Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])),
});

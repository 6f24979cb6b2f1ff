import type { Fields, Value } from '../config/document.ts';

type MergeItems = (one: Fields, other: Fields) => Fields;
type KeyedList = (ours: readonly Fields[], theirs: readonly Fields[], mergeItems: MergeItems) => readonly Fields[];

/** Items of the patch go into the first of ours that `same` finds, and to the end otherwise; one after the other. */
const into =
  (same: (ours: Fields, theirs: Fields) => boolean): KeyedList =>
  (ours, theirs, mergeItems) => {
    const merged = [...ours];
    for (const item of theirs) {
      const at = merged.findIndex((one) => same(one, item));
      const before = merged[at];
      if (before === undefined) merged.push(item);
      else merged[at] = mergeItems(before, item);
    }
    return merged;
  };

const by = (key: string, zero: Value): KeyedList =>
  into((ours, theirs) => (ours[key] ?? zero) === (theirs[key] ?? zero));

const selectorKeys = ['busPath', 'hardwareAddr', 'permanentAddr', 'pciID', 'driver'];

function sameDevice(ours: Fields, theirs: Fields): boolean {
  const name = theirs['interface'] ?? '';
  if (name !== '') return ours['interface'] === name;
  const [one, other] = [selectorOf(ours), selectorOf(theirs)];
  if (one === undefined || other === undefined) return false;
  // Talos compares where `physical` is kept, not what it says: two of them are never the same.
  if ('physical' in one || 'physical' in other) return false;
  return selectorKeys.every((key) => (one[key] ?? '') === (other[key] ?? ''));
}

const selectorOf = (device: Fields): Fields | undefined =>
  (device['deviceSelector'] ?? undefined) as Fields | undefined;

/** Rules are looked up among those that were there before, and replaced whole. */
const rulesByImage: KeyedList = (ours, theirs) => {
  const merged = [...ours];
  for (const rule of theirs) {
    const at = ours.findLastIndex((one) => (one['image'] ?? '') === (rule['image'] ?? ''));
    if (at === -1) merged.push(rule);
    else merged[at] = rule;
  }
  return merged;
};

/** Lists that Talos merges item by item, by the name of their type. All others are appended to. */
export const keyedLists: Readonly<Record<string, KeyedList>> = {
  'v1alpha1.NetworkDeviceList': into(sameDevice),
  'v1alpha1.VlanList': by('vlanId', 0),
  'v1alpha1.AdmissionPluginConfigList': by('name', ''),
  'extensions.ConfigFileList': by('mountPath', ''),
  'security.ImageVerificationRules': rulesByImage,
};

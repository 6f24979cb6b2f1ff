import type { ConfigDocument, MachineConfig } from './document.ts';
import { textIn } from './identity.ts';

/** Kinds of which only one may have a name: the same link cannot be two things. */
const rivals: readonly (readonly string[])[] = [
  [
    'BondConfig',
    'BridgeConfig',
    'DummyLinkConfig',
    'LinkConfig',
    'VethConfig',
    'VLANConfig',
    'VRFConfig',
    'WireguardConfig',
  ],
  ['HCloudVIPConfig', 'Layer2VIPConfig'],
  ['ExistingVolumeConfig', 'UserVolumeConfig'],
];

export type Rivalry = { readonly name: string; readonly kinds: readonly [one: string, other: string] };

/** Documents that Talos refuses beside each other. */
export function rivalriesIn(config: MachineConfig): readonly Rivalry[] {
  return rivals.flatMap((kinds) => {
    const first = new Map<string, string>();
    return config.flatMap((document): readonly Rivalry[] => {
      const { kind, name } = namesOf(document);
      if (!kinds.includes(kind)) return [];
      const other = first.get(name);
      first.set(name, other ?? kind);
      return other === undefined || other === kind ? [] : [{ name, kinds: [other, kind] }];
    });
  });
}

const namesOf = (document: ConfigDocument): { readonly kind: string; readonly name: string } => ({
  kind: textIn(document, 'kind'),
  name: textIn(document, 'name'),
});

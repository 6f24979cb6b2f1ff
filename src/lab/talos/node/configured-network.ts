import { globExpression } from '../config/glob.ts';

type Tree = Readonly<Record<string, unknown>>;
type Link = { readonly name: string; readonly mac: string };

/** What a configuration says about one link, by the name that the link really has. */
type ConfiguredLink = {
  readonly name: string;
  /** The card below a VLAN or a bond; undefined: it is a card itself. */
  readonly over: string | undefined;
  /** With prefix length. */
  readonly addresses: readonly string[];
  readonly gateway: string | undefined;
  readonly dhcp: boolean;
  /** Whether that is enough for nobody to ask DHCP unbidden. */
  readonly configures: boolean;
};

export type ConfiguredNetwork = {
  readonly links: readonly ConfiguredLink[];
  readonly nameservers: readonly string[];
  readonly ignoresDhcpHostname: boolean;
};

const tree = (value: unknown): Tree => (typeof value === 'object' && value !== null ? (value as Tree) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): readonly string[] =>
  list(value).flatMap((each) => (text(each) === '' ? [] : text(each)));

/** The network as the documents of a configuration have it, for the cards that are there. */
export function configuredNetwork(documents: readonly Tree[], cards: readonly Link[]): ConfiguredNetwork {
  const main = documents.find((document) => document['kind'] === undefined);
  const legacy = tree(tree(main?.['machine'])['network']);
  const of = (kind: string): readonly Tree[] => documents.filter((document) => document['kind'] === kind);
  const aliases = of('LinkAliasConfig');
  const real = (name: string): string => cardOf(name, aliases, cards)?.name ?? name;
  return {
    links: [
      ...of('LinkConfig').map((document) => fromDocument(document, real(text(document['name'])), undefined)),
      ...of('VLANConfig').map((document) =>
        fromDocument(document, text(document['name']), real(text(document['parent']))),
      ),
      ...[...of('BondConfig'), ...of('BridgeConfig')].flatMap((document) => {
        const members = texts(document['links']).map(real);
        return [
          fromDocument(document, text(document['name']), members[0] ?? ''),
          ...members.map((name) => said(name, {})),
        ];
      }),
      ...of('DHCPv4Config').map((document) => said(real(text(document['name'])), { dhcp: true })),
      ...list(legacy['interfaces']).flatMap((each) => fromInterface(tree(each), cards)),
    ],
    nameservers: [
      ...of('ResolverConfig').flatMap((document) =>
        list(document['nameservers']).map((each) => text(tree(each)['address'])),
      ),
      ...texts(legacy['nameservers']),
    ],
    ignoresDhcpHostname: of('DHCPv4Config').some((document) => document['ignoreHostname'] === true),
  };
}

const said = (name: string, given: Partial<ConfiguredLink>): ConfiguredLink => ({
  name,
  over: undefined,
  addresses: [],
  gateway: undefined,
  dhcp: false,
  configures: true,
  ...given,
});

const fromDocument = (document: Tree, name: string, over: string | undefined): ConfiguredLink =>
  said(name, {
    over,
    addresses: list(document['addresses']).flatMap((each) => text(tree(each)['address']) || []),
    gateway: gatewayOf(list(document['routes']), 'destination'),
  });

/** Where everything goes that has no route of its own. */
function gatewayOf(routes: readonly unknown[], destination: string): string | undefined {
  const found = routes.map(tree).find((route) => ['', '0.0.0.0/0', '::/0'].includes(text(route[destination])));
  return found === undefined ? undefined : text(found['gateway']) || undefined;
}

/** The way of old: `machine.network.interfaces`. */
function fromInterface(device: Tree, cards: readonly Link[]): readonly ConfiguredLink[] {
  const selector = device['deviceSelector'];
  const names =
    selector === undefined
      ? [text(device['interface'])]
      : cards.filter((card) => isSelected(tree(selector), card)).map(({ name }) => name);
  const bonded = texts(tree(device['bond'])['interfaces']);
  const facts = (part: Tree): Partial<ConfiguredLink> => ({
    addresses: [...texts(part['addresses']), ...(text(part['cidr']) === '' ? [] : [text(part['cidr'])])],
    gateway: gatewayOf(list(part['routes']), 'network'),
    dhcp: part['dhcp'] === true,
  });
  return names.flatMap((name) => [
    said(name, { ...facts(device), over: bonded[0], dhcp: device['dhcp'] === true && device['ignore'] !== true }),
    ...bonded.map((member) => said(member, {})),
    ...list(device['vlans']).map((vlan) =>
      said(`${name}.${Number(tree(vlan)['vlanId'] ?? 0)}`, { ...facts(tree(vlan)), over: name }),
    ),
  ]);
}

function isSelected(selector: Tree, { mac }: Link): boolean {
  const pattern = text(selector['hardwareAddr']) || text(selector['permanentAddr']);
  const driver = text(selector['driver']);
  return (
    (pattern === '' || globExpression(pattern, 'i').test(mac)) &&
    (driver === '' || globExpression(driver).test('virtio_net'))
  );
}

/**
 * The card that an alias means. Of its expressions those are understood that name a MAC address or are always true; any other
 * one means the first card.
 */
function cardOf(name: string, aliases: readonly Tree[], cards: readonly Link[]): Link | undefined {
  const own = cards.find((card) => card.name === name);
  const alias = aliases.find((document) => text(document['name']) === name);
  if (own !== undefined || alias === undefined) return own;
  const mac = /"((?:[0-9a-f]{2}:){5}[0-9a-f]{2})"/i.exec(text(tree(alias['selector'])['match']))?.[1];
  return mac === undefined ? cards[0] : cards.find((card) => card.mac.toLowerCase() === mac.toLowerCase());
}

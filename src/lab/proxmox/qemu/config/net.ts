import { parseProperties, printProperties, zeroOrOne } from './property-string.ts';

/** The value of `net0`. */
export type Net = {
  readonly model: string;
  /** As it was given: nobody changes its case. */
  readonly mac: string | undefined;
  readonly bridge: string | undefined;
  readonly tag: number | undefined;
  /** The rest, and these as they were written. */
  readonly options: ReadonlyMap<string, string>;
};

const models: ReadonlySet<string> = new Set([
  'e1000',
  'e1000-82540em',
  'e1000-82544gc',
  'e1000-82545em',
  'e1000e',
  'i82551',
  'i82557b',
  'i82559er',
  'ne2k_isa',
  'ne2k_pci',
  'pcnet',
  'rtl8139',
  'virtio',
  'vmxnet3',
]);
const booleans: ReadonlySet<string> = new Set(['firewall', 'link_down', 'host-tunnel']);

export const isNetSlot = (key: string): boolean => /^net\d+$/.test(key);

export function parseNet(text: string): Net {
  let model = 'virtio';
  let mac: string | undefined;
  const options = new Map<string, string>();
  for (const [key, value] of parseProperties(text, 'model'))
    if (key === 'model') model = value;
    else if (key === 'macaddr') mac = value;
    else if (models.has(key)) [model, mac] = [key, value];
    else options.set(key, booleans.has(key) ? zeroOrOne(value) : value);
  const tag = options.get('tag');
  return { model, mac, bridge: options.get('bridge'), tag: tag === undefined ? undefined : Number(tag), options };
}

export const printNet = ({ model, mac, options }: Net): string =>
  printProperties(new Map([['model', mac === undefined ? model : `${model}=${mac}`], ...options]), 'model');

/** Upper case, behind the prefix of the data centre. */
export function newMac(random: () => number, prefix = 'BC:24:11'): string {
  const bytes = Array.from({ length: 6 }, () => Math.floor(random() * 256));
  bytes[0] = ((bytes[0] ?? 0) & 0xfe) | 2;
  const address = bytes.map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
  return prefix.toUpperCase() + address.slice(prefix.length);
}

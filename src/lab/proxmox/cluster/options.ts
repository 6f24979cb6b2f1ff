import type { Call } from '../call.ts';
import type { Datacenter } from '../datacenter.ts';
import { splitList } from '../schema/perl-text.ts';

const usualMacPrefix = 'BC:24:11';

/** Lists of properties, which are shown taken apart. */
const structured = [
  'bwlimit',
  'crs',
  'ha',
  'location',
  'migration',
  'next-id',
  'notify',
  'replication',
  'tag-style',
  'u2f',
  'user-tag-access',
  'webauthn',
];

/** `lower=5000,upper=5003`; the first may come without its name. */
export function propertiesOf(text: string, first = ''): Readonly<Record<string, string>> {
  const parts = text.split(',').filter((part) => part !== '');
  return Object.fromEntries(
    parts.map((part): [string, string] => {
      const at = part.indexOf('=');
      return at < 0 ? [first, part] : [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

const firstKeys: Readonly<Record<string, string>> = { migration: 'type', replication: 'type' };

/** Tags that were set aside for whoever may change the data centre. */
function registeredTags({ options }: Datacenter): readonly string[] {
  const sensitive = propertiesOf(options.get('tag-style') ?? '')['case-sensitive'] === '1';
  const given = splitList(options.get('registered-tags') ?? '');
  return [...new Set(sensitive ? given : given.map((tag) => tag.toLowerCase()))].toSorted();
}

/** datacenter.cfg as it is read. */
function allOptions(datacenter: Datacenter): Readonly<Record<string, unknown>> {
  const shown = [...datacenter.options].map(([key, value]): [string, unknown] => {
    if (key === 'registered-tags') return [key, registeredTags(datacenter)];
    return [key, structured.includes(key) ? structureOf(key, value) : numeric(key, value)];
  });
  return { mac_prefix: usualMacPrefix, description: '', ...Object.fromEntries(shown) };
}

function structureOf(key: string, value: string): Readonly<Record<string, unknown>> {
  const properties = propertiesOf(value, firstKeys[key]);
  const list = properties['user-allow-list'];
  return list === undefined ? properties : { ...properties, 'user-allow-list': splitList(list) };
}

const numeric = (key: string, value: string): string | number =>
  key === 'max_workers' || key === 'migration_unsecure' ? Number(value) : value;

/** Tags that whoever asks may put onto guests, as far as they are known. */
function allowedTags(call: Call): readonly string[] {
  const { datacenter } = call;
  const privileged = call.may('/', ['Sys.Modify']);
  const access = propertiesOf(datacenter.options.get('user-tag-access') ?? '');
  const allow = access['user-allow'] ?? 'free';
  const used = [...datacenter.vms.values()]
    .filter(({ vmid }) => privileged || call.may(`/vms/${vmid}`, ['VM.Audit']))
    .flatMap(({ config }) => splitList(config.get('tags') ?? ''));
  return [
    ...new Set([
      ...(privileged ? registeredTags(datacenter) : []),
      ...(allow !== 'none' || privileged ? splitList(access['user-allow-list'] ?? '') : []),
      ...(allow === 'free' || allow === 'existing' || privileged ? used : []),
    ]),
  ].toSorted();
}

/** Everything for whoever may look, else what every user interface needs. */
export function shownOptions(call: Call): Readonly<Record<string, unknown>> {
  const all = allOptions(call.datacenter);
  const open = Object.fromEntries(Object.entries(all).filter(([key]) => key === 'console' || key === 'tag-style'));
  return { ...(call.may('/', ['Sys.Audit']) ? all : open), 'allowed-tags': allowedTags(call) };
}

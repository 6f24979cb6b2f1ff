import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Formats of text that the API server checks; others mean nothing to it. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text) && isDay(text.slice(0, 10)),
  datetime: (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text) && isDay(text.slice(0, 10)),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text),
  duration: (text) =>
    /^[+-]?(\d+(\.\d*)?|\.\d+)?\s*([a-zµ]+\s*(\d+(\.\d*)?|\.\d+)?\s*)*$/i.test(text) && /\d/.test(text),
  byte: (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  hostname: isHostname,
  uri: (text) => /^[a-z][a-z0-9+.-]*:/i.test(text) || text.startsWith('/'),
  uuid: uuid(''),
  uuid3: uuid('3'),
  uuid4: uuid('4'),
  uuid5: uuid('5'),
  mac: (text) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(text),
  isbn: (text) => /^[\dX-]{10,17}$/.test(text),
  hexcolor: (text) => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
  rgbcolor: (text) => /^rgb\(\s*\d{1,3}%?\s*,\s*\d{1,3}%?\s*,\s*\d{1,3}%?\s*\)$/.test(text),
};

function uuid(version: string): (text: string) => boolean {
  const pattern = new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version === '' ? '[0-9a-f]' : version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`,
    'i',
  );
  return (text) => pattern.test(text);
}

/** One label, or several of which the last has letters only, and two at least. */
function isHostname(text: string): boolean {
  const labels = text.split('.');
  const isLabel = (label: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label);
  return (
    text.length <= 253 && labels.every(isLabel) && (labels.length === 1 || /^[a-z]{2,63}$/i.test(labels.at(-1) ?? ''))
  );
}

function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const family = isIP(address);
  return rest.length === 0 && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

import { isAlias } from '../../../wire/proxmox/notation.ts';
import type { Param, Parts } from '../../../wire/proxmox/notation.ts';
import { printSize } from './sizes.ts';

/** What a property string says, by key: `{ file: 'local:101/x.raw', size: '4G' }`; booleans are 0 and 1. */
export type Properties = Record<string, string>;

/** A property string that cannot be taken apart; the message is the real one, without its line end. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Takes a property string apart. What the values are like is not looked at here. */
export function parsePropertyString(parts: Parts, text: string): Properties {
  const found: Properties = {};
  let bare: string | undefined;
  for (const part of text.split(',')) {
    if (/^\s*$/.test(part)) continue;
    const [, key, value] = /^([^=]+)=(.+)$/s.exec(part) ?? [];
    if (key !== undefined && value !== undefined) keep(parts, found, key, value);
    else if (part.includes('=')) throw new Unreadable('missing key in comma-separated list property');
    else {
      if (bare !== undefined) throw duplicate(bare);
      bare = firstKey(parts);
      if (bare === undefined) throw new Unreadable('value without key, but schema does not define a default key');
      if (found[bare] !== undefined && found[bare] !== '0') throw duplicate(bare);
      found[bare] = normal(parts[bare], part);
    }
  }
  return found;
}

const duplicate = (key: string): Unreadable => new Unreadable(`duplicate key in comma-separated list property: ${key}`);

function keep(parts: Parts, found: Properties, given: string, value: string): void {
  if (found[given] !== undefined) throw duplicate(given);
  let key = given;
  let part = parts[given];
  if (part !== undefined && isAlias(part)) {
    if (part.key !== undefined) {
      if (found[part.key] !== undefined) throw new Unreadable(`key alias '${part.key}' is already defined`);
      found[part.key] = given;
    }
    key = part.alias;
    part = parts[key];
    if (found[key] !== undefined) throw new Unreadable(`key '${key}' is already defined (via alias)`);
  }
  found[key] = normal(part, value);
}

const firstKey = (parts: Parts): string | undefined =>
  Object.entries(parts).find(([, part]) => !isAlias(part) && part.first === true)?.[0];

const normal = (part: Param | undefined | Parts[string], value: string): string =>
  part !== undefined && !isAlias(part) && part.type === 'boolean' ? (boolean(value) ?? value) : value;

/** Inside of property strings booleans have many names. */
function boolean(value: string): '0' | '1' | undefined {
  if (/^(1|on|yes|true)$/i.test(value)) return '1';
  return /^(0|off|no|false)$/i.test(value) ? '0' : undefined;
}

/** Puts a property string together: the key that needs no name first, then what must be there, then the rest by name. */
export function printPropertyString(parts: Parts, properties: Readonly<Properties>): string {
  const first = firstKey(parts);
  const done = new Set<string>();
  const printed: string[] = [];
  const print = (key: string): void => {
    const value = properties[key];
    if (value === undefined || done.has(key)) return;
    done.add(key);
    const pair = pairedWith(parts, key);
    const other = pair === undefined ? undefined : properties[pair];
    if (pair !== undefined && other !== undefined) {
      done.add(pair);
      printed.push(`${value}=${other}`);
    } else printed.push(key === first ? shown(parts[key], value) : `${key}=${shown(parts[key], value)}`);
  };
  const keys = Object.keys(properties).toSorted();
  if (first !== undefined) print(first);
  for (const key of keys) if (isNeeded(parts[key])) print(key);
  for (const key of keys) print(key);
  return printed.join(',');
}

const isNeeded = (part: Parts[string] | undefined): boolean =>
  part !== undefined && !isAlias(part) && part.required === true;

/** Sizes are kept as bytes and shown in units. */
const shown = (part: Parts[string] | undefined, value: string): string =>
  part !== undefined && !isAlias(part) && part.format === 'disk-size' && /^\d+$/.test(value)
    ? printSize(Number(value))
    : value;

/** The key whose value stands behind this one’s: `virtio=MAC`. */
const pairedWith = (parts: Parts, key: string): string | undefined =>
  Object.values(parts).flatMap((part) => (isAlias(part) && part.key === key ? [part.alias] : []))[0];

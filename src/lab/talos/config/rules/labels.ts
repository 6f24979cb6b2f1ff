import { quote } from './report.ts';

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const word = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const byKey = (map: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));

const inBytes = (text: string): number => Buffer.byteLength(text);

function nameFault(text: string): string | undefined {
  const parts = text.split('/');
  if (parts.length > 2) return `invalid format: too many slashes: ${quote(text)}`;
  const [prefix, name = ''] = parts.length === 2 ? parts : [undefined, text];
  if (prefix === '') return `prefix cannot be empty: ${quote(text)}`;
  if (prefix !== undefined && inBytes(prefix) > 253)
    return `prefix ${quote(prefix)} is invalid: domain name length exceeds limit of 253: ${quote(prefix)}`;
  if (prefix !== undefined && !subdomain.test(prefix))
    return `prefix ${quote(prefix)} is invalid: domain doesn't match required format: ${quote(prefix)}`;
  if (name === '') return `name cannot be empty: ${quote(text)}`;
  if (inBytes(name) > 63) return `name is too long: ${quote(text)} (limit is 63)`;
  return word.test(name) ? undefined : `name ${quote(name)} is invalid`;
}

function valueFault(text: string): string | undefined {
  if (inBytes(text) > 63) return `label value length exceeds limit of 63: ${quote(text)}`;
  return text === '' || word.test(text) ? undefined : `label value ${quote(text)} is invalid`;
}

export const labelFaults = (labels: Readonly<Record<string, string>>): readonly string[] =>
  byKey(labels).flatMap(([key, value]) => [nameFault(key) ?? [], valueFault(value) ?? []].flat());

const reserved = ['talos.dev/owned-labels', 'talos.dev/owned-annotations', 'talos.dev/owned-taints'];

export function annotationFaults(annotations: Readonly<Record<string, string>>): readonly string[] {
  const faults = byKey(annotations).flatMap(([key]) => [
    ...(nameFault(key) === undefined ? [] : [nameFault(key) ?? '']),
    ...(reserved.includes(key) ? [`annotation ${quote(key)} is reserved`] : []),
  ]);
  const size = byKey(annotations).reduce((sum, [key, value]) => sum + inBytes(key) + inBytes(value), 0);
  return size > 262_144 ? [...faults, 'total annotation size exceeds limit of 262144 bytes'] : faults;
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const taintFaults = (taints: Readonly<Record<string, string>>): readonly string[] =>
  byKey(taints).flatMap(([key, value]) => {
    const fault = nameFault(key);
    if (fault !== undefined) return [fault];
    const colon = value.indexOf(':');
    const effect = value.slice(colon + 1);
    if (!effects.includes(effect)) return [`invalid taint effect: ${quote(effect)}`];
    return colon === -1 ? [] : (valueFault(value.slice(0, colon)) ?? []);
  });

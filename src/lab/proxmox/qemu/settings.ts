import type { Call } from '../call.ts';
import { died } from '../refusal.ts';
import { newMac, parseNet, printNet } from './config/net.ts';
import { isConfigKey } from './config/values.ts';

/** Parameters of a request that are keys of a configuration, in the order of their names. */
export function settingsOf(call: Call): Map<string, string> {
  const names = Object.keys(call.params).filter((name) => isConfigKey(name) && call.params[name] !== undefined);
  return new Map(names.sort().map((name) => [name, clamped(name, call.text(name) ?? '')]));
}

/** Shares of the processor end where the kernel’s do. */
const clamped = (name: string, value: string): string =>
  name === 'cpuunits' && Number(value) > 10_000 ? '10000' : value;

/** Every network card has an address; one that was not given is new each time. */
export function fillMacs(call: Call, settings: Map<string, string>): void {
  const { random, options } = call.datacenter;
  for (const [key, value] of settings) {
    if (!/^net\d+$/.test(key)) continue;
    const net = parseNet(value);
    settings.set(key, printNet({ ...net, mac: net.mac ?? newMac(random, options.get('mac_prefix')) }));
  }
}

/** Keys for the cloud-init drive come percent-encoded, and must look like keys. */
export function checkKeys(sshKeys: string | undefined): void {
  if (sshKeys === undefined) return;
  const decoded = decodeURIComponent(sshKeys.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'));
  const lines = decoded.split('\n').filter((line) => /\S/.test(line) && !line.startsWith('#'));
  if (lines.some((line) => !/^(?:\S+\s+)?(?:ssh-|ecdsa-|sk-)\S+\s+\S+/.test(line)))
    throw died('SSH public key validation error');
}

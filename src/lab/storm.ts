import type { KubernetesFault } from './kubernetes/twin.ts';
import type { Lab } from './lab.ts';
import type { ProxmoxFault } from './proxmox/twin.ts';
import type { TwinFault } from './talos/twin.ts';

type Part<Fault> = readonly [part: number, fault: Omit<Fault, 'share' | 'chance' | 'times'>];

/** What a storm is made of: how much of it each fault is. */
const onProxmox: readonly Part<ProxmoxFault>[] = [
  [0.25, { kind: 'lose-answer' }],
  [0.25, { kind: 'lose-request' }],
  [0.15, { kind: 'refuse', status: 500, reason: 'got timeout' }],
  [0.05, { kind: 'refuse', status: 595, reason: 'Connection refused' }],
  [0.05, { kind: 'refuse', status: 596, reason: 'Connection timed out' }],
  [0.1, { kind: 'delay', delayMs: 2000 }],
  [0.1, { kind: 'lock', delayMs: 2000 }],
  [0.03, { kind: 'fail-task', reason: 'got timeout' }],
  [0.02, { kind: 'kill-task' }],
];
const onTalos: readonly Part<TwinFault>[] = [
  [0.4, { kind: 'lose-answer' }],
  [0.4, { kind: 'error', error: { code: 14, message: 'connection error: desc = "transport: the lab storms"' } }],
  [0.1, { kind: 'refuse-connection' }],
  [0.1, { kind: 'delay', delayMs: 2000 }],
];
const onKubernetes: readonly Part<KubernetesFault>[] = [
  [0.25, { kind: 'lose-answer' }],
  [0.25, { kind: 'lose-request' }],
  [0.15, { kind: 'refuse', code: 429, retryAfterSeconds: 1 }],
  [0.1, { kind: 'refuse', code: 500 }],
  [0.15, { kind: 'refuse', code: 503 }],
  [0.1, { kind: 'delay', delayMs: 2000 }],
];

/** A mix of faults on every API, so that about this share of all requests meets one. */
export function stormOn(lab: Lab, share: number, random: () => number, onStrike: () => void): void {
  const meets = (part: number): { share: number; chance: () => number } => ({
    share: share * part,
    chance: () => {
      const drawn = random();
      if (drawn < share * part) onStrike();
      return drawn;
    },
  });
  for (const [part, fault] of onTalos) lab.guests.failAll({ ...fault, ...meets(part) });
  for (const [part, fault] of onProxmox) lab.proxmox.fail({ ...fault, ...meets(part) });
  for (const [part, fault] of onKubernetes) lab.failClusters({ ...fault, ...meets(part) });
}

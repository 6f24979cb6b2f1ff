import type { LocalCall } from '../machined/call.ts';

/** Whether a target is this node itself. */
export const isLocal = ({ machine, boot }: LocalCall, target: string): boolean =>
  [...machine.ownAddresses(), boot.hostname, '127.0.0.1', ...machine.vips()].includes(target);

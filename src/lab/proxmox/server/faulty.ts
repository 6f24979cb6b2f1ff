import type { Datacenter } from '../datacenter.ts';
import { replyOf } from './outcome.ts';
import { emptyReply } from './reply.ts';
import type { Reply } from './reply.ts';

/** Carries out a request unless something was told to go wrong with it. Undefined: the client hears nothing. */
export async function withFaults(
  { faults, clock }: Datacenter,
  carryOut: () => Promise<Reply | undefined>,
): Promise<Reply | undefined> {
  if (faults.take('lose-request') !== undefined) return undefined;
  const delay = faults.take('delay');
  if (delay !== undefined) await clock.sleep(delay.delayMs ?? 0);
  if (faults.take('read-only') !== undefined) return faultReply({ status: 403, reason: 'the lab is read-only' });
  const refusal = faults.take('refuse');
  if (refusal !== undefined) return faultReply(refusal);
  const reply = await carryOut();
  if (faults.take('lose-answer') !== undefined) return undefined;
  const after = faults.take('refuse-and-do');
  return after === undefined ? reply : faultReply(after);
}

/** What a proxy says has no body; what a host says has. */
const faultReply = ({
  status = 500,
  reason = 'got timeout',
}: {
  readonly status?: number;
  readonly reason?: string;
}): Reply =>
  status >= 595
    ? emptyReply(status, reason)
    : replyOf({ kind: 'refused', status, message: `${reason}\n` }, 'json', () => 0);

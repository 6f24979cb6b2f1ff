import type { Call } from '../../grpc/server.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import type { Boot } from '../node/boot.ts';
import type { Machine } from '../node/machine.ts';

/** Does what is asked, unless something was set up to go wrong with this call. */
export async function faulty(
  { faults }: Machine,
  boot: Boot,
  call: Call,
  answer: (call: Call) => Promise<void>,
): Promise<void> {
  const delay = faults.take('delay', call.path);
  if (delay !== undefined) await boot.clock.sleep(delay.delayMs ?? 1000, AbortSignal.any([boot.signal, call.signal]));
  if (faults.take('hang', call.path) !== undefined) await forever(call.signal);
  const { error } = faults.take('error', call.path) ?? {};
  if (error !== undefined) throw new GrpcStatus(error.code, error.message);
  if (faults.take('lose-answer', call.path) === undefined) return answer(call);
  // It happens all the same; only nobody hears of it.
  await answer({ ...call, send: () => Promise.resolve() }).catch(() => undefined);
  throw new GrpcStatus('UNAVAILABLE', 'error reading from server: EOF');
}

export const forever = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

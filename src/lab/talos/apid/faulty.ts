import type { Call } from '../../grpc/server.ts';
import { grpcCode, GrpcStatus } from '../../grpc/status.ts';
import type { Boot } from '../node/boot.ts';
import type { Machine } from '../node/machine.ts';
import { changes } from './writes.ts';

/** Does what is asked, unless something was set up to go wrong with this call. */
export async function faulty(
  machine: Machine,
  boot: Boot,
  given: Call,
  answer: (call: Call) => Promise<void>,
): Promise<void> {
  const { write, call } = await changes(given);
  const at = boot.clock.now();
  const told = (status: string): void =>
    machine.onCall({ at, node: boot.hostname ?? '', path: call.path, status, write });
  try {
    await struck(machine, boot, call, write, answer);
    told('OK');
  } catch (error) {
    told(nameOf(error));
    throw error;
  }
}

const nameOf = (error: unknown): string =>
  Object.entries(grpcCode).find(([, code]) => error instanceof GrpcStatus && error.code === code)?.[0] ?? 'UNKNOWN';

async function struck(
  { faults }: Machine,
  boot: Boot,
  call: Call,
  write: boolean,
  answer: (call: Call) => Promise<void>,
): Promise<void> {
  if (write && faults.take('read-only', call.path) !== undefined)
    throw new GrpcStatus('PERMISSION_DENIED', 'the lab is read-only');
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

import type { Call } from '../call.ts';
import type { Worker } from './task.ts';

/**
 * Work that is done while the answer waits for it. It goes on when nobody waits any more; its warnings stay with the daemon’s
 * worker that did it.
 */
export function requestWorker({ datacenter, host, signal }: Call): Worker {
  return {
    say: () => undefined,
    warn: () => {
      const daemon = Math.floor(datacenter.random() * host.daemonWarnings.length);
      host.daemonWarnings[daemon] = (host.daemonWarnings[daemon] ?? 0) + 1;
    },
    sleep: (ms) => datacenter.clock.sleep(ms, signal),
    signal,
    killed: new AbortController().signal,
  };
}

import type { ExecPlugin, KubernetesTarget } from '../../kubernetes.ts';
import type { ExecAnswer } from './exec-answer.ts';
import { runPlugin, type ExecSurroundings } from './exec-plugin.ts';
import { bearer, type Identity, type Proof, type Prover } from './proof.ts';

type Held = { readonly proof: Proof; readonly expires: Date | undefined };

/** Asks a plugin when it is needed, once for everybody who waits, and again when what it gave has expired. */
export function execProver(
  plugin: ExecPlugin,
  target: KubernetesTarget,
  identity: Identity,
  surroundings: ExecSurroundings & { readonly now: () => Date },
): Prover {
  const ending = new AbortController();
  let held: Held | undefined;
  let running: Promise<Held> | undefined;

  const ask = async (): Promise<Held> => {
    const answer = await runPlugin(plugin, target, surroundings, ending.signal);
    held = { proof: proofOf(answer, held?.proof.identity ?? identity, identity), expires: answer.expires };
    return held;
  };

  return {
    proof: (signal) => {
      if (held !== undefined && !(held.expires !== undefined && surroundings.now() >= held.expires)) return held.proof;
      running ??= ask().finally(() => (running = undefined));
      return untilAborted(running, signal).then(({ proof }) => proof);
    },
    renew: (refused) => {
      // Somebody else may have renewed it already.
      if (held?.proof === refused) held = undefined;
      return true;
    },
    close: () => ending.abort(new Error('the connection was closed by its owner')),
  };
}

/** A new identity means new connections; it changes only with the certificate. */
function proofOf({ token, certificate }: ExecAnswer, last: Identity, own: Identity): Proof {
  const same = certificate === undefined || last.certificate?.crt === certificate.crt;
  const identity = certificate === undefined ? own : same ? last : { certificate };
  return { identity, authorization: token === undefined ? undefined : bearer(token) };
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

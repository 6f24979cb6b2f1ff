import { Code, ConnectError } from '@connectrpc/connect';
import { Problem, type ProblemDetails, type Recovery } from '../../model/problem.ts';
import { lossOf } from './losses.ts';
import { redact } from './redact.ts';
import { refusals } from './refusals.ts';

/** Who was asked for what; both stand in the sentence that a person reads. */
export type Asked = { readonly host: string; readonly verb: string };

/** One table row, with what the person can do; `recovery` says who acts next. */
export type Advice = { readonly code: string; readonly recovery: Recovery; readonly remedy: string };

/** Turns whatever a call ended with into a problem. `loss` is why the connection broke meanwhile, if it did. */
export function talosProblem(error: unknown, asked: Asked, loss: Error | undefined): Problem {
  if (error instanceof Problem) return error;
  const problem = problemIn(error);
  if (problem !== undefined) return problem;
  if (isAnswer(error)) return refusal(error, asked);
  if (error instanceof ConnectError && error.code === Code.DeadlineExceeded) return tooSlow(asked);
  if (isTooLarge(error)) return tooLarge(asked);
  return lost(loss ?? error, asked);
}

/** A status that the node sent, unlike one that the transport made up: only those came with trailers. */
export const isAnswer = (error: unknown): error is ConnectError =>
  error instanceof ConnectError && error.metadata.has('grpc-status');

function problemIn(error: unknown): Problem | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof Problem) return at;
  return undefined;
}

function refusal(error: ConnectError, { host, verb }: Asked): Problem {
  const said = redact(error.rawMessage);
  const row = refusals.find(({ status, words }) => status === error.code && (words?.test(error.rawMessage) ?? true));
  const { code, recovery, remedy } = row ?? unforeseen;
  // The status itself is not kept as a cause: its text may hold keys.
  return new Problem(code, `${host} refused ${verb}: ${said === '' ? Code[error.code] : said}`, {
    recovery,
    remedy: remedy.replaceAll('NODE', host),
  });
}

const unforeseen: Advice = { code: 'talos-refused', recovery: 'ask', remedy: '' };

function lost(error: unknown, { host, verb }: Asked): Problem {
  const { code, recovery, remedy, because } = lossOf(error);
  return new Problem(code, `${host} could not be asked for ${verb}: ${because}.`, {
    recovery,
    remedy: remedy.replaceAll('NODE', host),
  });
}

/** The connection broke, and nobody knows more. */
export const isLost = (error: unknown): boolean => error instanceof Problem && error.code === 'talos-connection-lost';

export const tooSlow = ({ host, verb }: Asked): Problem =>
  new Problem('talos-no-answer', `${host} did not answer ${verb} in time.`, {
    recovery: 'retry',
    remedy: `Look whether the node is up, and what it does:\n    ichor talos services -n ${host}`,
  });

const isTooLarge = (error: unknown): boolean =>
  error instanceof ConnectError && error.code === Code.ResourceExhausted && /MaxBytes/.test(error.rawMessage);

const tooLarge = ({ host, verb }: Asked): Problem =>
  new Problem('talos-too-large', `${host} was asked for ${verb}, and one message of that is larger than 32 MiB.`, {
    recovery: 'ask',
  });

/** Streams that never end by themselves end when apid goes away. */
export const streamEnded = ({ host, verb }: Asked): Problem =>
  new Problem('talos-connection-lost', `${host} ended ${verb}; it may be restarting.`, {
    recovery: 'retry',
    remedy: `Ask again when the node is back:\n    ichor talos version -n ${host}`,
  });

export const fingerprintChanged = (host: string, pinned: string, shown: string): Problem =>
  new Problem('talos-fingerprint-changed', `${host} showed the fingerprint ${shown}, and ${pinned} was expected.`, {
    recovery: 'ask',
    remedy: `A node in maintenance mode makes a new key at every boot. Compare with what its console shows, then use that:\n    ichor talos apply --insecure --fingerprint '${shown}' -n ${host}`,
  });

export const stillMaintenance = (host: string): Problem =>
  new Problem('talos-still-maintenance', `${host} still answers in maintenance mode.`, {
    recovery: 'wait',
    remedy:
      'Wait until it has taken its configuration; this lasts some tenths of a second, or as long as an installation takes.',
  });

export const badData = (code: string, message: string, details: ProblemDetails = {}): Problem =>
  new Problem(code, message, { recovery: 'retry', ...details });

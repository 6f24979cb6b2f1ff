import type { Status, StatusDetails } from '../../../wire/kubernetes/objects.ts';
import { isRecord } from '../record.ts';
import { KubernetesProblem, type Asked, type Said } from './problem.ts';
import { withoutSecrets } from './redact.ts';
import { meanings } from './meanings.ts';

/** An answer that is not the one that was hoped for. */
export type Refused = {
  readonly refused: true;
  readonly status: number;
  readonly text: string;
  /** The header. */
  readonly retryAfter: string | undefined;
};

export function refusalOf(refused: Refused, asked: Asked): KubernetesProblem {
  const status = statusIn(refused.text);
  return statusProblem(status, refused, asked);
}

/** What a watch is told in the middle of it. */
export const refusalIn = (status: Status, asked: Asked): KubernetesProblem =>
  statusProblem(status, { refused: true, status: status.code ?? 500, text: '', retryAfter: undefined }, asked);

function statusProblem(status: Status | undefined, refused: Refused, asked: Asked): KubernetesProblem {
  const said = withoutSecrets(status?.message ?? firstLine(refused.text), asked.secrets);
  const told: Said = {
    status: refused.status,
    reason: status?.reason,
    details: detailsOf(status?.details, asked.secrets),
    said,
    retryAfterMs: retryAfterOf(refused.retryAfter, status?.details?.retryAfterSeconds),
  };
  const row = meanings.find((meaning) => meaning.when(told, asked));
  const sentence = row?.message?.(told, asked) ?? `Kubernetes refused to ${asked.doing}: ${said || refused.status}`;
  return new KubernetesProblem(row?.code ?? 'kubernetes-refused', sentence, told, {
    recovery: row?.recovery ?? 'ask',
    remedy: row?.remedy(told, asked) ?? '',
  });
}

function statusIn(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value['kind'] === 'Status' ? (value as Status) : undefined;
  } catch {
    return undefined;
  }
}

/** Load balancers and proxies answer with pages; their first line says enough. */
function firstLine(text: string): string {
  const line = text
    .replaceAll(/<[^>]*>/g, ' ')
    .trim()
    .split('\n')[0];
  return (line ?? '').trim().slice(0, 200);
}

function detailsOf(details: StatusDetails | undefined, secrets: readonly string[]): StatusDetails | undefined {
  if (details?.causes === undefined || secrets.length === 0) return details;
  const causes = details.causes.map((cause) =>
    cause.message === undefined ? cause : { ...cause, message: withoutSecrets(cause.message, secrets) },
  );
  return { ...details, causes };
}

/** Seconds; a date is what no API server sends. */
function retryAfterOf(header: string | undefined, details: number | undefined): number | undefined {
  const seconds = header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : details;
  return seconds === undefined || seconds <= 0 ? undefined : seconds * 1000;
}

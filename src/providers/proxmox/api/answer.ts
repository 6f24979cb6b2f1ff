import type { Refused } from './classify.ts';
import type { Incoming } from './link.ts';

export type Answer = { readonly data: unknown; readonly total: number | undefined };

/** The envelope of an answer, or why there is none. Refusals come as JSON, as text or with no body at all. */
export function readAnswer(incoming: Incoming): Answer | Refused {
  const { status, reason, text } = incoming;
  const body = parsed(text);
  if (status === 200 && body !== undefined && 'data' in body) {
    return { data: body['data'], total: typeof body['total'] === 'number' ? body['total'] : undefined };
  }
  if (status === 200) return { status: 502, said: 'something else than the Proxmox API answers there', errors: {} };
  const message = typeof body?.['message'] === 'string' ? body['message'] : undefined;
  return { status, said: message?.trim() || reason.trim() || `status ${status}`, errors: textsIn(body?.['errors']) };
}

export const isRefused = (answer: Answer | Refused): answer is Refused => 'said' in answer;

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const textsIn = (errors: unknown): Readonly<Record<string, string>> =>
  typeof errors === 'object' && errors !== null
    ? Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, String(text)]))
    : {};

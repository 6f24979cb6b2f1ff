import { internalError, Refusal, serviceUnavailable, timedOut, tooManyRequests } from '../refusal.ts';
import type { KubernetesFault } from '../twin.ts';

export const faultOf = (
  struck: readonly KubernetesFault[],
  kind: KubernetesFault['kind'],
): KubernetesFault | undefined => struck.find((each) => each.kind === kind);

/** What a server says that is not well. */
export function refusalOf({ code = 500, retryAfterSeconds }: KubernetesFault): Refusal {
  switch (code) {
    case 429:
      return tooManyRequests('Too many requests, please try again later.', retryAfterSeconds ?? 1);
    case 503:
      return serviceUnavailable('the server is currently unable to handle the request');
    case 504:
      return timedOut('request did not complete within the allotted timeout', retryAfterSeconds);
    default:
      return withCode(internalError('the lab was told to fail'), code);
  }
}

const withCode = ({ status }: Refusal, code: number): Refusal => new Refusal({ ...status, code });

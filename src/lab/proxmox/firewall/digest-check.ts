import type { Call } from '../call.ts';
import { died } from '../refusal.ts';

/** Refuses a change of something that is no longer as whoever asks has seen it. */
export function mustBeUnchanged(call: Call, digest: string): void {
  const expected = call.text('digest');
  if (expected !== undefined && expected !== digest)
    throw died('detected modified configuration - file changed by other user? Try again.');
}

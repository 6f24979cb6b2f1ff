import { readFile } from 'node:fs/promises';
import { Problem } from '../../../model/problem.ts';
import { bearer, type Identity, type Proof, type Prover } from './proof.ts';

/** A kubelet renews what it mounts long before it ends. */
const freshMs = 60_000;

/** A token that others write anew from time to time. */
export function tokenFile(
  { path, token }: { readonly path: string; readonly token?: string },
  identity: Identity,
  now: () => Date,
): Prover {
  let last: Proof | undefined =
    token === undefined || token === '' ? undefined : { identity, authorization: bearer(token) };
  let readAt = -Infinity;
  let reading: Promise<Proof> | undefined;

  const read = async (): Promise<Proof> => {
    try {
      const written = bearer((await readFile(path, 'utf8')).trim());
      if (last?.authorization !== written) last = { identity, authorization: written };
      readAt = now().getTime();
      return last;
    } catch (error) {
      // The last one may still be good.
      if (last !== undefined) return last;
      throw new Problem('kubernetes-token-file', `The token cannot be read from ${path}.`, {
        remedy: `Look whether the file is there and may be read:\n    ls -l ${path}`,
        cause: error,
      });
    }
  };

  return {
    proof: () => {
      if (last !== undefined && now().getTime() - readAt < freshMs) return last;
      reading ??= read().finally(() => (reading = undefined));
      return reading;
    },
    renew: () => {
      const wasRead = readAt > -Infinity;
      readAt = -Infinity;
      return wasRead;
    },
    close: () => undefined,
  };
}

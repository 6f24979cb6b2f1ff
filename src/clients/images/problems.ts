import type { Checksum } from '../../model/file.ts';
import { Problem } from '../../model/problem.ts';
import { shownText } from '../../model/secrets.ts';

/** Addresses may carry passwords and signatures: what is behind the question mark is nobody’s business. */
const shown = (url: string): string => shownText(url.replace(/\?.*$/, '?…')) ?? 'the address';

export const unreachable = (url: string, error: unknown): Problem =>
  new Problem('image-unreachable', `${shown(url)} cannot be reached from this machine: ${reasonOf(error)}.`, {
    recovery: 'retry',
    remedy: `Look whether this machine reaches it, directly or through a proxy (HTTPS_PROXY):\n    curl -sSI '${shown(url)}'`,
  });

export const refused = (url: string, status: number): Problem =>
  new Problem('image-refused', `${shown(url)} answers with status ${status}, and not with a file.`, {
    recovery: status >= 500 ? 'retry' : 'ask',
    remedy: `Correct cluster.talos.image: the factory, the schematic or the version. Look what it says:\n    curl -sSI '${shown(url)}'`,
  });

export const cutShort = (url: string, bytes: number, announced: number, error: unknown): Problem =>
  new Problem(
    'image-cut-short',
    `${shown(url)} ended after ${bytes} bytes${Number.isNaN(announced) ? '' : ` of ${announced}`}${error === undefined ? '' : `: ${reasonOf(error)}`}.`,
    { recovery: 'retry', remedy: 'Try again.' },
  );

export const wrongChecksum = (url: string, { algorithm, hex }: Checksum, got: string): Problem =>
  new Problem(
    'image-checksum',
    `${shown(url)} is another file than the checksum says: ${algorithm} is ${got}, and ${hex} is wanted.`,
    {
      recovery: 'ask',
      remedy: `Correct cluster.talos.image.checksum, if this is the right file:\n    curl -sSL '${shown(url)}' | ${algorithm}sum`,
    },
  );

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name has no address',
  EAI_AGAIN: 'the name has no address',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it took too long',
  UND_ERR_CONNECT_TIMEOUT: 'it took too long',
  UND_ERR_HEADERS_TIMEOUT: 'it took too long',
  UND_ERR_BODY_TIMEOUT: 'it fell silent',
};

function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code ?? '';
    if (reasons[code] !== undefined) return reasons[code];
    if (/CERT|SELF_SIGNED|VERIFY/.test(code)) return `its certificate is not believed (${code})`;
  }
  return 'the connection was lost';
}

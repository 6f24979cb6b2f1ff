import type { SecretsBundle } from './secrets/bundle.ts';
import { masked, redactConfig } from './redact.ts';

/** As short as a piece of a secret may be and still be found. */
const shortest = 12;

/** Masks everything of a bundle, also cut to pieces and as base64, and everything else that looks secret. */
export function maskerFor(bundle: SecretsBundle): (text: string) => string {
  const pieces = new Set(secretsOf(bundle).flatMap(piecesOf));
  return (text) => redactConfig(maskPieces(text, pieces));
}

/** The secret texts of a bundle, each in every form in which it may be written. */
export function secretsOf({ cluster, secrets, trustdinfo, certs }: SecretsBundle): readonly string[] {
  const plain = [cluster.id, cluster.secret, ...Object.values(secrets), trustdinfo.token];
  const pems = Object.values(certs).flatMap((pair) => Object.values(pair) as readonly string[]);
  return [...plain, ...pems.flatMap((pem) => [base64(pem), ...bodyOf(pem)])];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The lines of a PEM text without its labels, which are no secret. */
const bodyOf = (pem: string): readonly string[] => pem.split('\n').filter((line) => /^[A-Za-z0-9+/=]+$/.test(line));

const piecesOf = (secret: string): readonly string[] =>
  secret.length <= shortest
    ? [secret]
    : Array.from({ length: secret.length - shortest + 1 }, (_, at) => secret.slice(at, at + shortest));

function maskPieces(text: string, pieces: ReadonlySet<string>): string {
  let shown = '';
  let hiddenUntil = 0;
  for (let at = 0; at < text.length; at++) {
    if (pieces.has(text.slice(at, at + shortest))) {
      if (at >= hiddenUntil) shown += masked;
      hiddenUntil = at + shortest;
    }
    if (at >= hiddenUntil) shown += text[at];
  }
  return shown;
}

import { readCertificate } from './pem.ts';

export const hourMs = 3_600_000;

export type Life = { readonly notBefore: Date; readonly notAfter: Date };

/** Certificates know whole seconds. */
export function lifeFrom(from: Date, lifeMs: number): Life {
  const start = Math.floor(from.getTime() / 1000) * 1000;
  return { notBefore: new Date(start), notAfter: new Date(start + lifeMs) };
}

/** Of a certificate in PEM; undefined when it is none. */
export function lifeOf(crt: string): Life | undefined {
  const certificate = readCertificate(crt);
  return certificate && { notBefore: new Date(certificate.validFrom), notAfter: new Date(certificate.validTo) };
}

export const expiresAt = (crt: string): Date | undefined => lifeOf(crt)?.notAfter;

/** When less than a third of the life is left; what cannot be read is due as well. */
export function needsRenewal(crt: string, now: Date): boolean {
  const life = lifeOf(crt);
  if (life === undefined) return true;
  const whole = life.notAfter.getTime() - life.notBefore.getTime();
  return life.notAfter.getTime() - now.getTime() < whole / 3;
}

import type { ClientCertificate } from '../../kubernetes.ts';

/** Who we are on a connection. The same object means the same connections. */
export type Identity = { readonly certificate: ClientCertificate | undefined };

/** What one request is sent with. */
export type Proof = {
  readonly identity: Identity;
  /** The header; secret. */
  readonly authorization: string | undefined;
};

/** Gives what requests prove themselves with. */
export interface Prover {
  proof(signal: AbortSignal): Proof | Promise<Proof>;
  /** The server did not take it. Whether another one may be had. */
  renew(refused: Proof): boolean;
  /** Ends what is under way for it. */
  close(): void;
}

/** Proves itself with the same for ever. */
export const always = (proof: Proof): Prover => ({
  proof: () => proof,
  renew: () => false,
  close: () => undefined,
});

export const bearer = (token: string): string => `Bearer ${token}`;

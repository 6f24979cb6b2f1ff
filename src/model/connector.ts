import type { Duplex } from 'node:stream';

/** Opens a byte stream to somebody. The default dials TCP; an ssh tunnel is another one. */
export type Connector = (
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
) => Promise<Duplex>;

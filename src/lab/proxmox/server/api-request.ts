import type { Principal, Upload } from '../call.ts';
import type { Sent } from './form.ts';

/** A request that is readable, from somebody who is known if anybody has to be. */
export type ApiRequest = {
  readonly method: string;
  /** Below the format: `/nodes/pve1/qemu`. */
  readonly path: string;
  /** Undefined: nobody in particular, where that is enough. */
  readonly who: Principal | undefined;
  readonly byToken: boolean;
  /** Query and body together. */
  readonly sent: Sent;
  readonly upload: Upload | undefined;
};

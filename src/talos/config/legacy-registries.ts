import type { Fields } from './document.ts';
import type { Registries } from './intent.ts';
import { base64 } from './pem.ts';
import { present, unlessEmpty } from './table.ts';

/** `machine.registries`, before registries got documents of their own. */
export const legacyRegistries = ({ mirrors, credentials }: Registries): Fields =>
  present({
    mirrors: unlessEmpty(
      Object.fromEntries(
        mirrors.map(({ host, endpoints, overridePath, skipFallback }) => [
          host,
          present({ endpoints, overridePath: overridePath || undefined, skipFallback: skipFallback || undefined }),
        ]),
      ),
    ),
    config: unlessEmpty(
      Object.fromEntries(
        credentials.map(({ host, username, password, ca }) => [
          host,
          present({ tls: ca === undefined ? undefined : { ca: base64(ca) }, auth: { username, password } }),
        ]),
      ),
    ),
  });

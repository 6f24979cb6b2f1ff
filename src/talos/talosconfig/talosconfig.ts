import { stringify } from 'yaml';
import { toBase64 } from '../pki/pem.ts';

/** Who we are to one cluster’s Talos API, and where it is. */
export type TalosContext = {
  readonly endpoints: readonly string[];
  readonly nodes: readonly string[];
  /** PEM texts; undefined when the file has none that can be read. */
  readonly ca: string | undefined;
  readonly crt: string | undefined;
  readonly key: string | undefined;
  /** Signs in through Omni, with a key that is not in this file. */
  readonly omni?: true;
};

export type Talosconfig = {
  /** The current one; empty when none is chosen. */
  readonly context: string;
  readonly contexts: ReadonlyMap<string, TalosContext>;
};

/** A file of its own, as `talosctl gen config` writes it. */
export const talosconfigText = ({ context, contexts }: Talosconfig): string =>
  stringify(
    { context, contexts: new Map([...contexts].map(([name, given]) => [name, contextFields(given)])) },
    { indent: 4, lineWidth: 0 },
  );

export const contextFields = ({ endpoints, nodes, ca, crt, key }: TalosContext): Record<string, unknown> => ({
  endpoints,
  ...(nodes.length === 0 ? {} : { nodes }),
  ...(ca === undefined ? {} : { ca: toBase64(ca) }),
  ...(crt === undefined ? {} : { crt: toBase64(crt) }),
  ...(key === undefined ? {} : { key: toBase64(key) }),
});

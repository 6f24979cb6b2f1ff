import type { Inventory } from './model/host.ts';
import type { Machine } from './model/machine.ts';
import type { Identity, Proof } from './model/proof.ts';
import { platformIdentities, provePlatform, proveSubstrate } from './plan/proof.ts';
import type { Input } from './spec/documents.ts';
import { readHosts, type HostsReading } from './spec/hosts-file.ts';
import type { Imported, ImportOptions } from './spec/import/import.ts';
import { read, type Reading } from './spec/read.ts';
import type { Source } from './spec/source.ts';

export type { Imported, Input, Reading };

/** Is the file right? Reads it, and says everything that is not. */
export const check = (input: Input): Reading => read(input);

/** What there is to place machines on, as somebody measured it. */
export const measure = (source: Source): HostsReading => readHosts(source);

/** Does everything fit, and what if a host dies? One proof per substrate and platform. */
export const prove = ({ platforms, substrates }: Reading, measured: Inventory | undefined): readonly Proof[] => [
  ...substrates.map((substrate) => proveSubstrate(substrate, measured)),
  ...platforms.map((platform) => provePlatform(platform, measured, substrates)),
];

/** Who is every machine: names, VMIDs, MAC addresses, UUIDs and addresses. */
export const identify = (
  { platforms }: Reading,
  measured: Inventory | undefined,
): readonly (readonly [Machine, Identity])[] => platforms.flatMap((platform) => platformIdentities(platform, measured));

/** What would another tool's file be as one of ours? Says what could not be carried over. */
export async function importFrom(sources: readonly Source[], options: ImportOptions): Promise<Imported> {
  const { importPlatform } = await import('./spec/import/import.ts');
  return importPlatform(sources, options);
}

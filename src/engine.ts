import type { Inventory } from './model/host.ts';
import type { Machine } from './model/machine.ts';
import { Problem } from './model/problem.ts';
import type { Identity, Proof } from './model/proof.ts';
import { platformIdentities, provePlatform, proveSubstrate } from './plan/proof.ts';
import type { Input } from './spec/documents.ts';
import { readHosts, type HostsReading } from './spec/hosts-file.ts';
import type { Imported, ImportOptions } from './spec/import/import.ts';
import type { Given } from './spec/answers.ts';
import type { CustomResourceDefinition } from './spec/crd.ts';
import { draftPlatform, type Drafted } from './spec/draft.ts';
import type { EffectiveValue, FoundMachines } from './spec/effective.ts';
import type { Explanation } from './spec/explain.ts';
import type { JsonSchema } from './spec/json-schema.ts';
import type { Platform } from './spec/platform.ts';
import { read, type Reading } from './spec/read.ts';
import type { Source } from './spec/source.ts';

export type { Drafted, EffectiveValue, Explanation, Given, Imported, Input, Platform, Reading };

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

/** What would a first file be, from a few answers? Says which are missing or wrong. */
export const draft = (given: Given): Drafted => draftPlatform(given);

/** What may stand in a file, for editors: of one kind, or of every document that ichor reads. */
export const editorSchema = async (kind?: string): Promise<JsonSchema> =>
  (await import('./spec/json-schema.ts')).editorSchema(kind);

/** What makes an API server know the same resources: of one kind, or all. */
export const resourceDefinitions = async (kind?: string): Promise<readonly CustomResourceDefinition[]> =>
  (await import('./spec/crd.ts')).customResourceDefinitions(kind);

export type Explained = {
  readonly explanation: Explanation;
  /** Every kind of document there is, with what it is. */
  readonly kinds: readonly { readonly kind: string; readonly description: string }[];
  /** What holds there in the documents that were given, and who decided it. */
  readonly documents: readonly { readonly name: string; readonly values: readonly EffectiveValue[] }[];
  readonly reading: Reading | undefined;
};

/** Who is every machine of a platform, and where would it go? Nothing of a file that is wrong. */
function foundMachines(reading: Reading | undefined, name: string): FoundMachines {
  const platform = reading?.platforms.find((each) => each.name === name);
  if (reading === undefined || platform === undefined) return new Map();
  const hosts = hostsOf(platform, reading);
  return new Map(
    platformIdentities(platform, undefined).map(([machine, { vmid, mac, uuid }]) => [
      machine.name,
      { vmid: vmid ?? undefined, mac, uuid, host: hosts.get(machine.name) ?? undefined },
    ]),
  );
}

/** Where nobody said what hosts can carry, it is not known yet. */
function hostsOf(platform: Reading['platforms'][number], { substrates }: Reading): ReadonlyMap<string, string | null> {
  try {
    const { machines } = provePlatform(platform, undefined, substrates);
    return new Map(machines.map(({ machine, host }) => [machine.name, host]));
  } catch (error) {
    if (error instanceof Problem) return new Map();
    throw error;
  }
}

/** What is this, what may stand there, and, where a file was given, what holds there and why? */
export async function explain(path: string, input?: Input): Promise<Explained> {
  const [{ explainPlace, kindsInWords }, { findPlace }, { effectiveValues }] = await Promise.all([
    import('./spec/explain.ts'),
    import('./spec/place.ts'),
    import('./spec/effective.ts'),
  ]);
  const reading = input && read(input);
  const given = reading?.documents ?? [];
  const place = findPlace(path, [...new Set(given.map(({ kind }) => kind))]);
  const documents = given
    .filter(({ kind }) => kind === place.kind)
    .map((document) => ({
      name: document.name,
      values: effectiveValues(document, place, reading?.problems ?? [], foundMachines(reading, document.name)),
    }));
  return { explanation: explainPlace(place), kinds: kindsInWords(), documents, reading };
}

export { yamlText } from './spec/yaml-text.ts';

import type { Resource, TalosAccess, TalosReader } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import { known, unknown, type Seen } from '../model/seen.ts';
import type { TalosWorld } from '../model/world.ts';
import type { ConfigChange } from '../model/step.ts';
import { becauseOf } from './failure.ts';
import type { TalosEyes } from './eyes.ts';
import type { Located } from './machines.ts';
import { within } from '../model/signals.ts';

/** How a machine is spoken to, and what it should have. */
export type TalosQuestion = {
  /** Undefined: there are no secrets yet, and so nothing that could be ours. */
  readonly access: TalosAccess | undefined;
  /** What is other in a configuration than the file asks for. */
  readonly changesIn: (config: string) => Promise<Seen<readonly ConfigChange[]>>;
};

/** A node that is up answers within moments; one that is not must not hold up the rest. */
const patienceMs = 6000;

/** What stands on a machine. */
export async function lookAtTalos(
  { vm, address }: Pick<Located, 'vm' | 'address'>,
  question: TalosQuestion,
  eyes: TalosEyes,
  signal: AbortSignal,
): Promise<Seen<TalosWorld | undefined>> {
  if (vm?.kind === 'known' && vm.value === null) return known(undefined);
  const power = vm?.kind === 'known' ? vm.value?.power : undefined;
  if (power?.kind === 'known' && power.value === 'off') return known({ kind: 'off' });
  if (address === undefined)
    return unknown(vm?.kind === 'unknown' ? vm.because : 'it has no address yet, or nobody tells');
  const uuid = vm?.kind === 'known' ? vm.value?.mark.uuid : undefined;
  const heard = await hear({ host: address, uuid }, question.access, eyes, signal);
  if (heard.kind === 'unknown') return heard;
  if (heard.value.kind !== 'ours') return known(heard.value);
  const { config, ...talos } = heard.value;
  const changes = await question.changesIn(config);
  return changes.kind === 'unknown' ? changes : known({ ...talos, changes: changes.value });
}

type Ours = Extract<TalosWorld, { kind: 'ours' }>;
type Heard = Exclude<TalosWorld, Ours> | (Omit<Ours, 'changes'> & { readonly config: string });

/** Where a machine should be, and who must answer there; undefined: only the address tells. */
type Place = { readonly host: string; readonly uuid: string | undefined };

async function hear(
  place: Place,
  access: TalosAccess | undefined,
  eyes: TalosEyes,
  signal: AbortSignal,
): Promise<Seen<Heard>> {
  using soon = within(patienceMs, signal);
  try {
    return await (access === undefined ? probed(place.host, eyes, soon) : spoken(place, access, eyes, soon));
  } catch (error) {
    return unknown(becauseOf(error, signal));
  }
}

async function spoken(
  { host, uuid }: Place,
  access: TalosAccess,
  eyes: TalosEyes,
  signal: AbortSignal,
): Promise<Seen<Heard>> {
  await using node = eyes.open({ host, access });
  try {
    const [version, status, hostname, config, schematic, says] = await Promise.all([
      node.version(signal),
      node.machineStatus(signal),
      node.hostname(signal),
      node.machineConfig(signal),
      schematicOf(node, signal),
      uuid === undefined ? undefined : node.systemUuid(signal),
    ]);
    // Its address may be another one's by now, or always was.
    if (uuid !== undefined && says !== undefined && says.toLowerCase() !== uuid.toLowerCase())
      return unknown(`another machine answers at ${host}: ${hostname}, whose UUID is ${says}`);
    return known({ kind: 'ours', version: version.tag, stage: status.stage, hostname, schematic, config });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'talos-other-cluster') return known({ kind: 'foreign', because: error.message });
    if (error.code === 'talos-still-maintenance' || error.code === 'talos-no-config')
      return await probed(host, eyes, signal);
    throw error;
  }
}

/** Without a certificate a node says only whether it has a configuration. */
async function probed(host: string, eyes: TalosEyes, signal: AbortSignal): Promise<Seen<Exclude<TalosWorld, Ours>>> {
  const standing = await eyes.probe({ host }, signal);
  switch (standing.kind) {
    case 'maintenance':
      return known(standing);
    case 'configured':
      return known({ kind: 'foreign', because: `${host} is configured, and not with secrets that are here` });
    case 'absent':
      return unknown(standing.because);
  }
}

/** Images of the factory carry their schematic's id as the version of an extension. */
async function schematicOf(node: Pick<TalosReader, 'list'>, signal: AbortSignal): Promise<string | undefined> {
  const extensions = await node.list({ type: 'ExtensionStatuses.runtime.talos.dev', namespace: 'runtime' }, signal);
  return extensions.map(metadataOf).find(({ name }) => name === 'schematic')?.version;
}

function metadataOf({ spec }: Pick<Resource, 'spec'>): { readonly name?: string; readonly version?: string } {
  const metadata = typeof spec === 'object' && spec !== null && 'metadata' in spec ? spec.metadata : undefined;
  return typeof metadata === 'object' && metadata !== null ? metadata : {};
}

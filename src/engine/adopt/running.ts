import type { Resource, TalosReader } from '../../clients/talos.ts';

/** A node of a cluster that runs, as it says itself. Its configuration is secret. */
export type RunningNode = {
  readonly address: string;
  readonly hostname: string;
  readonly version: string;
  readonly config: string;
  /** Hardware addresses of its links, upper case. */
  readonly macs: readonly string[];
  /** Of the machine; undefined: it does not say. */
  readonly uuid: string | undefined;
  /** Schematic that its image was made from; undefined: it does not say. */
  readonly schematic: string | undefined;
  /** Extensions in its image. */
  readonly extensions: readonly string[];
};

type Reader = Pick<TalosReader, 'version' | 'hostname' | 'machineConfig' | 'list'>;

export async function lookAtNode(address: string, node: Reader, signal: AbortSignal): Promise<RunningNode> {
  const list = (type: string, namespace: string): Promise<readonly Resource[]> =>
    node.list({ type, namespace }, signal);
  const [version, hostname, config, links, systems, extensions] = await Promise.all([
    node.version(signal),
    node.hostname(signal),
    node.machineConfig(signal),
    list('LinkStatuses.net.talos.dev', 'network'),
    list('SystemInformations.hardware.talos.dev', 'hardware'),
    list('ExtensionStatuses.runtime.talos.dev', 'runtime'),
  ]);
  const named = extensions.map(({ spec }) => fieldsOf(fieldsOf(spec)['metadata']));
  const others = named.filter(({ name }) => name !== 'schematic').map(({ name }) => textOf(name));
  return {
    address,
    hostname,
    version: version.tag,
    config,
    macs: links.map(({ spec }) => textOf(fieldsOf(spec)['hardwareAddr']).toUpperCase()).filter((mac) => mac !== ''),
    uuid: systems.map(({ spec }) => textOf(fieldsOf(spec)['uuid']).toLowerCase()).find((uuid) => uuid !== ''),
    schematic: named.filter(({ name }) => name === 'schematic').map(({ version: id }) => textOf(id))[0],
    extensions: others.filter((name) => name !== ''),
  };
}

/** Addresses of all members of a cluster, as one of them knows them; a node whose discovery finds nobody knows itself. */
export async function membersOf(node: Reader, signal: AbortSignal): Promise<readonly string[]> {
  const members = await node.list({ type: 'Members.cluster.talos.dev', namespace: 'cluster' }, signal);
  return members.flatMap(({ spec }) => {
    const { addresses } = fieldsOf(spec);
    return Array.isArray(addresses) ? [textOf(addresses[0])] : [];
  });
}

type Fields = Readonly<Record<string, unknown>>;
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

import { join } from 'node:path';
import type { Adopted } from '../engine/adopt/adopt.ts';
import type { Virtual } from '../engine/adopt/sketched.ts';
import { isError, Problem } from '../model/problem.ts';
import { makeSecretFolder, mustNotExist, writeNew, writeWhole } from './files.ts';
import { defaultFile } from './options.ts';
import { openProvider, type ProviderDoor } from './provider-door.ts';
import { untilInterrupted, type TalosDoor } from './talos-door.ts';
import { nodesOf, type TargetOptions } from './talos-target.ts';

export type RunningOptions = TargetOptions & {
  readonly name?: string;
  readonly out?: string;
  readonly force: boolean;
  readonly proxmox?: string;
  readonly token?: string;
  readonly ca?: string;
};

export type RunningDoor = { readonly talos: TalosDoor; readonly provider: ProviderDoor };

/** Where everything else looks for them. */
const secretsFile = join('talos', 'secrets.yaml');

/** A cluster that runs, as a platform file and its secrets; nothing on it is changed. */
export async function importRunning(options: RunningOptions, door: RunningDoor): Promise<Adopted> {
  const target = options.out ?? defaultFile;
  if (!options.force) await mustNotExist(target, '--out');
  await mustNotExist(secretsFile, 'another folder').catch((cause: unknown) => {
    throw cause instanceof Problem ? secretsThere() : cause;
  });
  const { adoptCluster, adoptedFiles } = await import('../engine/adopt/adopt.ts');
  const adopted = await untilInterrupted(async (signal) => {
    const [nodes, virtual] = await Promise.all([
      lookAtNodes(options, door.talos, signal),
      lookAtMachines(options, door.provider, signal),
    ]);
    return adoptCluster({ nodes, virtual, name: options.name, target });
  });
  if (adopted.problems.some(isError)) return adopted;
  await makeSecretFolder('talos');
  await writeNew(secretsFile, adopted.secrets, 0o600);
  for (const [path, text] of await adoptedFiles(adopted, await door.talos.tools.system()))
    await writeWhole(join('talos', path), text, 0o600);
  await writeWhole(target, adopted.file);
  return adopted;
}

async function lookAtNodes(options: RunningOptions, door: TalosDoor, signal: AbortSignal) {
  const [named, { lookAtNode, membersOf }, { open }] = await Promise.all([
    nodesOf(options, door),
    import('../engine/adopt/running.ts'),
    door.tools.client(),
  ]);
  const [first] = named;
  if (first === undefined) throw new Error('A talosconfig without nodes was accepted.');
  const addresses = new Set(named.map(({ target }) => target.host));
  if ((options.nodes ?? []).length === 0)
    for (const { target } of named) {
      await using node = open(target);
      for (const address of await membersOf(node, signal)) addresses.add(address);
    }
  const looks = [...addresses].map(async (host) => {
    await using node = open({ ...first.target, host });
    return await lookAtNode(host, node, signal);
  });
  const nodes = await Promise.all(looks);
  // One machine may be known by several addresses.
  return [...new Map(nodes.toReversed().map((node) => [node.hostname, node])).values()];
}

/** What the hypervisor has; undefined: nobody said which one. */
async function lookAtMachines(
  { proxmox, token, ca }: RunningOptions,
  door: ProviderDoor,
  signal: AbortSignal,
): Promise<Virtual | undefined> {
  if (proxmox === undefined) return undefined;
  const { check } = await import('../engine.ts');
  const words = {
    endpoint: proxmox,
    token: token === undefined ? { env: 'PROXMOX_TOKEN' } : { file: token },
    tls: ca === undefined ? undefined : { ca },
  };
  const machines = { proxmox: { ...words, hosts: ['any'], ...(ca === undefined ? {} : { tls: { ca } }) } };
  const draft = {
    apiVersion: 'ichor.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'import' },
    spec: { machines },
  };
  const [platform] = check({ sources: [{ name: '--proxmox', content: JSON.stringify(draft) }] }).platforms;
  if (platform === undefined)
    throw new Problem('bad-options', `"${proxmox}" is no address of a Proxmox VE API.`, {
      remedy: 'Write it whole, such as --proxmox https://pve1.example.org:8006',
    });
  await using provider = await openProvider(platform, door);
  const { reader } = provider;
  const [vms, survey] = await Promise.all([reader.everything?.(signal), reader.survey(signal)]);
  const hosts = survey.inventory.hosts.map(({ name }) => name);
  return { words: { ...words, hosts }, vms: vms ?? [] };
}

const secretsThere = (): Problem =>
  new Problem('secrets-there', `"${secretsFile}" is already there, and secrets are never written over.`, {
    remedy: 'Import in a folder of its own:\n    mkdir adopted && cd adopted && ichor import --running',
  });

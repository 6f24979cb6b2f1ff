import type { TalosNode } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import { parseVersion } from '../model/version.ts';
import { mustBeStaged } from '../talos/versions.ts';
import { tellFactory } from './factory.ts';
import { awaitSpare } from './spare.ts';
import { throughReboot } from './talos-back.ts';
import { mayHaveHappened, openMachine, proveMachine } from './talos-node.ts';
import type { Handlers } from './tools.ts';
import { waitFor } from './waiting.ts';
import { addressOf, patienceOf } from './where.ts';

export const changeHandlers: Pick<Handlers, 'talos.reconfigure' | 'talos.upgrade'> = {
  'talos.reconfigure': async ({ machine, ref, reboot }, tools, context, signal) => {
    await using opened = await openMachine(machine, ref, tools, signal);
    const { node } = opened;
    await proveMachine(opened, machine, ref, signal);
    const { endpointMachine } = tools.material;
    if (endpointMachine !== undefined) await addressOf(endpointMachine, undefined, tools, signal);
    const config = await tools.material.config(machine, tools.found.addresses);
    if ((await node.machineConfig(signal)).trim() === config.trim()) return;
    if (reboot) {
      await awaitSpare(opened, machine, { tools, context }, signal);
      let restarts = true;
      const apply = async (): Promise<void> => {
        const { mode } = await node.apply(config, { mode: 'auto' }, signal);
        restarts = mode !== 'no-reboot';
        if (!restarts) throw new NoReboot();
      };
      try {
        await throughReboot(node, machine, apply, { tools, context }, signal);
      } catch (error) {
        if (!(error instanceof NoReboot)) throw error;
      }
      return;
    }
    try {
      await node.apply(config, { mode: 'no-reboot' }, signal);
    } catch (error) {
      if (!mayHaveHappened(error)) throw error;
      // Given a second time it changes nothing.
      await waitFor(
        `${machine} to answer again`,
        async () => ({ state: 'there', value: await node.apply(config, { mode: 'no-reboot' }, signal) }),
        { ...patienceOf(tools, context), fromMs: 1000 },
        context.tell,
        signal,
      );
    }
  },

  'talos.upgrade': async ({ machine, ref, from, to, image }, tools, context, signal) => {
    await using opened = await openMachine(machine, ref, tools, signal);
    const { node } = opened;
    await proveMachine(opened, machine, ref, signal);
    if (await runs(node, to, image, signal)) return;
    await awaitSpare(opened, machine, { tools, context }, signal);
    await tellFactory((id) => image.includes(id), tools, context, signal);
    const version = parseVersion(from);
    const request = { image, stage: version !== undefined && mustBeStaged(version) };
    const upgrade = async (): Promise<void> => {
      let rebootsItself = false;
      for await (const progress of node.upgrade(request, signal)) {
        rebootsItself ||= progress.kind === 'accepted';
        if (progress.kind === 'pulled') context.tell({ kind: 'says', text: `${machine} has pulled ${progress.image}` });
        if (progress.kind === 'installed') context.tell({ kind: 'says', text: `${to} is installed on ${machine}` });
      }
      if (rebootsItself) return;
      await awaitSpare(opened, machine, { tools, context }, signal);
      await node.reboot('default', signal);
    };
    await throughReboot(node, machine, upgrade, { tools, context }, signal);
    const { tag } = await node.version(signal);
    if (tag !== to)
      throw new Problem('upgrade-rolled-back', `${machine} runs ${tag} after the upgrade, not ${to}.`, {
        remedy: `Talos goes back by itself when a new version does not start: look at its console and at\n    ichor talos dmesg -n ${opened.address}`,
      });
  },
};

/** Talos found that nothing has to restart. */
class NoReboot extends Error {}

/** Of two images of one version the schematic tells which one a node runs, where it says. */
async function runs(node: TalosNode, to: string, image: string, signal: AbortSignal): Promise<boolean> {
  if ((await node.version(signal)).tag !== to) return false;
  const extensions = await node.list({ type: 'ExtensionStatuses.runtime.talos.dev' }, signal);
  const schematic = extensions
    .map(({ spec }) => (spec as { readonly metadata?: { readonly name?: string; readonly version?: string } }).metadata)
    .find((metadata) => metadata?.name === 'schematic')?.version;
  return schematic === undefined || image.includes(schematic);
}

import type { TalosNode } from '../clients/talos.ts';
import { answerTo } from './talos-node.ts';
import type { StepContext, Tools } from './tools.ts';
import { waitFor, type Look } from './waiting.ts';
import { patienceOf } from './where.ts';

/** How long after a lost answer a node may take to show that it heard what it was asked. */
const showsMs = 45_000;

/** Does what ends in a reboot, and waits until the node is back from it. A lost answer is followed by looking. */
export async function throughReboot(
  node: TalosNode,
  machine: string,
  ask: () => Promise<unknown>,
  { tools, context }: { readonly tools: Tools; readonly context: StepContext },
  signal: AbortSignal,
): Promise<void> {
  const before = await node.bootId(signal);
  const lost = await answerTo(ask);
  const boots = async (): Promise<Look<undefined>> =>
    (await node.bootId(signal)) === before
      ? { state: 'not-yet', because: 'it has not gone down yet' }
      : { state: 'there', value: undefined };
  const patience = patienceOf(tools, context);
  const goes = lost === undefined ? patience : { ...patience, atMostMs: showsMs, late: () => lost };
  await waitFor(`${machine} to boot again`, boots, goes, context.tell, signal);
  await waitFor(
    `the boot of ${machine} to finish`,
    async (): Promise<Look<undefined>> => {
      const { stage } = await node.machineStatus(signal);
      return stage === 'running'
        ? { state: 'there', value: undefined }
        : { state: 'not-yet', because: `it is ${stage}` };
    },
    patience,
    context.tell,
    signal,
  );
}

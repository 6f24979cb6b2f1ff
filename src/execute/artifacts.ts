import { Problem } from '../model/problem.ts';
import { controlPlaneAddresses } from './etcd-members.ts';
import { rememberThat } from './remembering.ts';
import type { Handlers, Tools } from './tools.ts';

export const artifactHandlers: Pick<Handlers, 'artifacts.write' | 'cluster.forget'> = {
  'artifacts.write': async ({ files }, tools, _, signal) => {
    const { store, material, found } = tools;
    await controlPlaneAddresses(tools, signal);
    for (const path of files) {
      const text = await material.artifact(path, found.addresses);
      if (text !== (await store.artifact(path))) await store.writeArtifact(path, text);
    }
  },

  'cluster.forget': async ({ files }, tools, _, signal) => {
    await mustBeGone(tools, signal);
    for (const path of files) await tools.store.deleteArtifact(path);
    await rememberThat(tools, (memory) => ({ ...memory, bootstrap: undefined, configured: {}, guarded: undefined }));
  },
};

/** A cluster whose machines are still there could be bootstrapped a second time once it is forgotten. */
async function mustBeGone({ provider, material }: Tools, signal: AbortSignal): Promise<void> {
  const left = (await provider?.reader.machines(material.platform, signal)) ?? [];
  if (left.length === 0) return;
  const names = left.map((each) => (each.kind === 'known' ? each.value.mark.name : each.because));
  throw new Problem('machines-left', `The cluster is not forgotten: machines of it are left (${names.join(', ')}).`, {
    recovery: 'wait',
    remedy: 'Run this again, so that they are taken down first:\n    ichor destroy',
  });
}

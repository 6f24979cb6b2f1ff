import { createReadStream } from 'node:fs';
import { access, open } from 'node:fs/promises';
import type { Command } from 'commander';
import { Problem } from '../model/problem.ts';
import { writeStream } from './files.ts';
import { act, withAct, type ActOptions } from './talos-act.ts';
import type { TalosDoor } from './talos-door.ts';
import { bytes } from './views/talos-words.ts';

type RecoverOptions = ActOptions & { readonly skipHashCheck: boolean };

/** etcd snapshot and etcd recover. */
export function etcdBackups(etcd: Command, door: TalosDoor): void {
  withAct(
    etcd.command('snapshot').description('save etcd to a file').argument('<file>', 'file to write, with mode 0600'),
    ['ichor talos etcd snapshot etcd.db', 'ichor talos etcd snapshot etcd.db -n 10.10.0.11'],
  ).action((file: string, options: ActOptions) =>
    act(options, door, {
      whom: 'first',
      act: async (node, _, signal) =>
        `saved ${bytes(await writeStream(file, node.etcdSnapshot(signal), 0o600))} to ${file}`,
    }),
  );

  withAct(
    etcd
      .command('recover')
      .description('bring etcd back from a snapshot: once, on one control plane, when etcd is lost on all of them')
      .argument('<file>', 'a snapshot')
      .option('--skip-hash-check', 'the file is a copy of the database, not a snapshot', false),
    ['ichor talos etcd recover etcd.db -n 10.10.0.11'],
  ).action(async (file: string, options: RecoverOptions) => {
    await mustBeReadable(file);
    if ((options.nodes ?? []).length !== 1)
      throw new Problem('no-node', 'etcd is recovered on exactly one control plane; the others join it.', {
        remedy: 'Name it: -n 10.10.0.11',
      });
    await act(options, door, {
      whom: 'named',
      act: async (node, { skipHashCheck }, signal) => {
        mustNotRun(await node.services(signal));
        await node.etcdRecover(createReadStream(file, { signal }) as AsyncIterable<Uint8Array>, signal);
        await node.bootstrap({ recover: true, skipHashCheck }, signal);
        return 'recovers etcd; look at it with ichor talos health';
      },
    });
  });
}

/** A node that runs etcd would store the snapshot and lose nothing, but Bootstrap would refuse: say so before. */
function mustNotRun(services: readonly { readonly id: string; readonly state: string }[]): void {
  const etcd = services.find(({ id }) => id === 'etcd');
  if (etcd?.state !== 'Running') return;
  throw new Problem('etcd-runs', 'etcd runs on this node: there is nothing to recover.', {
    remedy:
      'Where etcd is lost on the others, wipe its data on every control plane first:\n    ichor talos reset --no-graceful --reboot --system-labels-to-wipe EPHEMERAL -n NODE',
  });
}

async function mustBeReadable(file: string): Promise<void> {
  try {
    await access(file);
    await (await open(file)).close();
  } catch (cause) {
    throw new Problem('unreadable-file', `"${file}" cannot be read.`, { cause, remedy: 'Name a snapshot of etcd.' });
  }
}

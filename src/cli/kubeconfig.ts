import { delimiter } from 'node:path';
import type { Command } from 'commander';
import { accessFile } from './access-file.ts';
import { inHome } from './environment.ts';
import type { StoreDoor } from './store-door.ts';

export function kubeconfig(program: Command, door: StoreDoor): void {
  accessFile(program, door, {
    name: 'kubeconfig',
    usual: () => (process.env['KUBECONFIG'] ?? '').split(delimiter)[0] || inHome('.kube', 'config'),
    usualWords: 'the first file of KUBECONFIG, or ~/.kube/config',
    put: async (present, added) => {
      const [{ placeKubeconfig }, { clock }] = await Promise.all([
        import('../engine/talos-kubeconfig.ts'),
        door.system(),
      ]);
      return placeKubeconfig(present, added, clock);
    },
  });
}

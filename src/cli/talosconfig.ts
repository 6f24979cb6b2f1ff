import type { Command } from 'commander';
import { accessFile } from './access-file.ts';
import { inHome } from './environment.ts';
import type { StoreDoor } from './store-door.ts';

export function talosconfig(program: Command, door: StoreDoor): void {
  accessFile(program, door, {
    name: 'talosconfig',
    usual: () => process.env['TALOSCONFIG'] || inHome('.talos', 'config'),
    usualWords: 'TALOSCONFIG, or ~/.talos/config',
    put: async (present, added) => {
      const [{ placeTalosconfig }, { clock }] = await Promise.all([
        import('../engine/talos-contexts.ts'),
        door.system(),
      ]);
      return placeTalosconfig(present, added, clock.now());
    },
  });
}

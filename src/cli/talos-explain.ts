import type { Command } from 'commander';
import { withOutput } from './options.ts';
import type { TalosDoor } from './talos-door.ts';
import { readPlatform, withPlatform, type PlatformOptions } from './talos-platform.ts';

type Options = PlatformOptions & { readonly output: 'text' | 'json' };

export function talosExplain(talos: Command, door: TalosDoor): void {
  const command = talos
    .command('explain')
    .description('say who decided what in a machine’s configuration, and whether changing it reboots the machine')
    .argument('<machine>', 'a machine of the platform')
    .argument('[path]', 'only what is there, such as machine.kubelet or HostnameConfig', '');
  withOutput(withPlatform(command), ['text', 'json'], 'text or json')
    .addHelpText(
      'after',
      `
Examples:
  ichor talos explain cp-0 machine.install -f platform.yaml
  ichor talos explain cp-0 -f platform.yaml --output json

Secrets are masked.`,
    )
    .action(async (machine: string, path: string, options: Options) => {
      const terminal = door.terminal();
      const [{ explainMachine }, given, { table }] = await Promise.all([
        import('../engine/talos-explain.ts'),
        readPlatform(options, terminal),
        import('./views/table.ts'),
      ]);
      const explained = explainMachine(given, machine, path);
      if (options.output === 'json') {
        terminal.out(`${JSON.stringify(explained, null, 2)}\n`);
        return;
      }
      const rows = explained.values.map(({ path: place, value, because, reboot }) => [
        place,
        shortened(value),
        because,
        reboot ? 'reboot' : '',
      ]);
      const titles = ['path', 'value', 'because', 'changing it'].map((title) => ({ title }));
      terminal.out(`${table(titles, rows, (text) => terminal.paint('dim', text)).join('\n')}\n`);
    });
}

const widest = 60;
const shortened = (value: string): string => {
  const line = value.replaceAll('\n', ' ');
  return line.length > widest ? `${line.slice(0, widest - 1)}…` : line;
};

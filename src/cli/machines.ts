import type { Command } from 'commander';
import type { Machine } from '../model/machine.ts';
import type { Identity } from '../model/proof.ts';
import { readChecked, withInput, withOutput, type InputOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

type Format = 'text' | 'json' | 'dnsmasq' | 'kea';
type Options = InputOptions & { readonly output: Format; readonly hosts?: string };

export function machines(program: Command, terminal: () => Terminal): void {
  const command = program
    .command('machines')
    .description('list the machines of a file with their identity, also as DHCP reservations');
  withOutput(
    withInput(command),
    ['text', 'json', 'dnsmasq', 'kea'],
    'text, json, dnsmasq or kea (reservations for your DHCP server)',
  )
    .option('--hosts <file>', 'what the hosts carry now: machines that are there keep what they have')
    .addHelpText(
      'after',
      `
Examples:
  ichor machines -f homelab.yaml
  ichor machines -f homelab.yaml --output dnsmasq > /etc/dnsmasq.d/homelab.conf
  ichor machines -f homelab.yaml --output kea`,
    )
    .action(async (options: Options) => {
      process.exitCode = await run(options, terminal());
    });
}

async function run(options: Options, terminal: Terminal): Promise<number> {
  const [{ identify }, { reading, measured }] = await Promise.all([
    import('../engine.ts'),
    readChecked(options, terminal),
  ]);
  const found = identify(reading, measured);
  terminal.out(await rendered(found, options.output, terminal));
  return 0;
}

type Found = readonly (readonly [Machine, Identity])[];

async function rendered(found: Found, output: Format, { paint }: Terminal): Promise<string> {
  switch (output) {
    case 'json':
      return `${JSON.stringify(
        {
          machines: found.map(([{ name, role, pool, hostname }, identity]) => ({
            name,
            role,
            pool,
            hostname,
            ...identity,
          })),
        },
        null,
        2,
      )}\n`;
    case 'dnsmasq':
      return found
        .map(([{ hostname }, { mac, address }]) => `dhcp-host=${[mac, address, hostname].filter(Boolean).join(',')}\n`)
        .join('');
    case 'kea':
      return `${JSON.stringify(
        found.map(([{ hostname }, { mac, address }]) => ({
          'hw-address': mac.toLowerCase(),
          ...(address === null ? {} : { 'ip-address': address }),
          hostname,
        })),
        null,
        2,
      )}\n`;
    case 'text': {
      const { table } = await import('./views/table.ts');
      const columns = [
        { title: 'machine' },
        { title: 'role' },
        { title: 'vmid', align: 'right' } as const,
        { title: 'mac' },
        { title: 'address' },
        { title: 'uuid' },
      ];
      const rows = found.map(([{ name, role }, { vmid, mac, address, uuid }]) => [
        name,
        role,
        String(vmid ?? '-'),
        mac,
        address ?? 'by DHCP',
        uuid,
      ]);
      return `${table(columns, rows, (text) => paint('dim', text)).join('\n')}\n`;
    }
  }
}

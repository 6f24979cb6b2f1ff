import type { Command } from 'commander';
import type { TalosDoor } from './talos-door.ts';
import { runLife, withLife, type LifeOptions } from './talos-power.ts';

type Options = LifeOptions & {
  readonly image?: string;
  readonly to?: string;
  readonly factory: string;
  readonly legacy: boolean;
  readonly stage: boolean;
  readonly force: boolean;
};

export function talosUpgrade(talos: Command, door: TalosDoor): void {
  withLife(talos.command('upgrade').description('install another Talos on nodes, one after the other, and boot it'))
    .option('--to <version>', 'version, with the extensions that the node has now (its schematic is read from it)')
    .option('--image <reference>', 'installer image, instead of --to')
    .option('--factory <host>', 'Image Factory that installers come from', 'factory.talos.dev')
    .option('--stage', 'install at the next boot, before anything is mounted', false)
    .option('--legacy', 'the old way, also where the node knows the new one', false)
    .option('--force', 'also when etcd stands still meanwhile, or the version is too far away', false)
    .addHelpText(
      'after',
      `
Examples:
  ichor talos upgrade -n 10.10.0.21 --to v1.13.9
  ichor talos upgrade -n 10.10.0.11,10.10.0.12,10.10.0.13 --to v1.13.9
  ichor talos upgrade -n 10.10.0.21 --image factory.talos.dev/metal-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.13.9

Nodes from 1.13 on pull, install and reboot in steps that are shown; older ones do it all by themselves. Kubernetes nodes
are not drained by this command.`,
    )
    .action(async (options: Options) => {
      const [{ upgrading }, { installerFor }] = await Promise.all([
        import('../engine/talos-life.ts'),
        import('../engine/talos-upgrade.ts'),
      ]);
      await runLife(options, door, () =>
        upgrading(
          installerFor({
            ...(options.image === undefined ? {} : { image: options.image }),
            ...(options.to === undefined ? {} : { to: options.to }),
            factory: options.factory,
            legacy: options.legacy,
            stage: options.stage,
            force: options.force,
          }),
          options.wait,
        ),
      );
    });
}

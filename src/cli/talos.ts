import type { Command } from 'commander';
import { talosApply } from './talos-apply.ts';
import { talosBootstrap } from './talos-bootstrap.ts';
import type { TalosDoor } from './talos-door.ts';
import { talosEtcd } from './talos-etcd.ts';
import { talosExplain } from './talos-explain.ts';
import { talosGen } from './talos-gen.ts';
import { talosGet } from './talos-get.ts';
import { talosHealth } from './talos-health.ts';
import { talosKubeconfig } from './talos-kubeconfig.ts';
import { talosLooks } from './talos-looks.ts';
import { talosPower } from './talos-power.ts';
import { talosReset } from './talos-reset.ts';
import { talosStreams } from './talos-streams.ts';
import { talosTalosconfig } from './talos-talosconfig.ts';
import { talosUpgrade } from './talos-upgrade.ts';

/** Everything below `ichor talos`. */
export function talosCommands(talos: Command, door: TalosDoor): void {
  talosApply(talos, door);
  talosBootstrap(talos, door);
  talosEtcd(talos, door);
  talosExplain(talos, door);
  talosGen(talos, door);
  talosGet(talos, door);
  talosHealth(talos, door);
  talosKubeconfig(talos, door);
  talosLooks(talos, door);
  talosPower(talos, door);
  talosReset(talos, door);
  talosStreams(talos, door);
  talosTalosconfig(talos, door);
  talosUpgrade(talos, door);
}

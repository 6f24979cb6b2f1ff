import { AddressEventSchema } from '../../../wire/gen/talos/machine_pb.ts';
import type { Boot } from './boot.ts';
import { EtcdService } from './etcd-service.ts';
import { followKubernetes } from './kubernetes.ts';
import {
  tellCreating,
  tellHealthy,
  tellPreparing,
  tellRunning,
  tellStarted,
  tellStarting,
  tellStillWaiting,
} from './lives.ts';
import { judgeConfig } from './config.ts';
import { startExtensions } from './extensions.ts';
import { installedOn } from './installing.ts';
import type { Machine } from './machine.ts';
import { nameMachine } from './naming.ts';
import { settingsOf } from './settings.ts';
import { Teller } from './telling.ts';

const haltSaysMs = 30_000;

/** From power on to a node that runs. Ends with the boot. */
export async function startUp(machine: Machine, boot: Boot): Promise<void> {
  const teller = new Teller(boot);
  const metal = boot.image.platform !== 'container';
  teller.sequence('initialize', 'START');
  await boot.sleep(machine.durations.boot);
  if (metal) await teller.phase('systemRequirements', { enforceKSPPRequirements: undefined });
  await startEarlyServices(machine, boot, teller, metal);
  if (machine.medium?.haltIfInstalled === true && machine.disk.system !== undefined) return halt(boot, teller);
  await loadConfig(machine, boot, teller);
  teller.sequence('initialize', 'STOP');
  teller.sequence('install', 'START');
  if (metal && machine.disk.system === undefined) return installedOn(machine, boot, teller);
  teller.sequence('install', 'STOP');
  await bootUp(machine, boot, teller, metal);
}

/** A medium that was left in its drive: nothing is touched, and nothing answers, until somebody boots from the disk. */
async function halt(boot: Boot, teller: Teller): Promise<void> {
  await teller.phase('haltIfInstalled', {
    haltIfInstalled: async () => {
      for (;;) {
        boot.kernel(
          '[talos] Talos is already installed to disk but booted from another media and talos.halt_if_installed kernel parameter is set. Please reboot from the disk.',
        );
        await boot.sleep(haltSaysMs);
      }
    },
  });
}

async function startEarlyServices(machine: Machine, boot: Boot, teller: Teller, metal: boolean): Promise<void> {
  const begun = (id: string): void => {
    tellStarting(boot, id);
    tellPreparing(boot, id);
  };
  const quick = (id: string) => (): void => {
    begun(id);
    tellRunning(boot, id);
    tellHealthy(boot, id);
  };
  if (metal) {
    boot.speak();
    await teller.phase('earlyServices', {
      startUdevd: quick('udevd'),
      startMachined: quick('machined'),
      startApid: () => tellStarting(boot, 'apid'),
      startAuditd: quick('auditd'),
      startSyslogd: quick('syslogd'),
      startContainerd: quick('containerd'),
    });
    boot.events.publish(AddressEventSchema, {});
    networkUp(machine, boot);
    startExtensions(machine, boot);
    await teller.phase('usb', { waitForUSB: undefined });
    await teller.phase('meta', { reloadMeta: undefined });
    return teller.phase('dashboard', { startDashboard: quick('dashboard') });
  }
  // Tasks of a phase run side by side; this is the order in which a container node was seen to tell them.
  teller.phaseEvent('machined', 'START');
  teller.task('startApid', 'START');
  tellStarting(boot, 'apid');
  teller.task('startContainerd', 'START');
  teller.task('startMachined', 'START');
  teller.task('startApid', 'STOP');
  begun('containerd');
  tellCreating(boot, 'containerd');
  begun('machined');
  tellCreating(boot, 'machined');
  tellStarted(boot, 'machined');
  tellStarted(boot, 'containerd');
  boot.events.publish(AddressEventSchema, {});
  boot.speak();
  boot.enter('booting');
  networkUp(machine, boot);
  tellHealthy(boot, 'machined');
  teller.task('startMachined', 'STOP');
  tellHealthy(boot, 'containerd');
  teller.task('startContainerd', 'STOP');
  teller.phaseEvent('machined', 'STOP');
}

function networkUp(machine: Machine, boot: Boot): void {
  machine.platform = machine.surroundings.platform(boot.image);
  machine.reconnect(boot);
  nameMachine(machine, boot);
  boot.networkOpen = [];
  boot.touch();
  boot.events.publish(AddressEventSchema, { hostname: boot.hostname ?? '' });
  tellStillWaiting(boot, 'apid');
  // Addresses are told late: a node was seen to take half a minute for it.
  void boot
    .sleep(30_000)
    .then(() =>
      boot.events.publish(AddressEventSchema, {
        hostname: boot.hostname ?? '',
        addresses: [...machine.ownAddresses()],
      }),
    )
    .catch(() => undefined);
}

async function loadConfig(machine: Machine, boot: Boot, teller: Teller): Promise<void> {
  const { disk, platform } = machine;
  const handed = disk.config ?? platform.config;
  await teller.phase('config', {
    loadConfig: async () => {
      if (disk.config === undefined && platform.config !== undefined) await taken(machine, boot, platform.config);
      if (handed !== undefined) machine.activate(boot, handed);
      if (boot.settings === undefined) await maintain(machine, boot, teller);
    },
  });
  // Nothing can be kept before there is a disk to keep it on.
  if (disk.system !== undefined || boot.image.platform === 'container') disk.config ??= boot.config;
  if (disk.system !== undefined) disk.platformNetwork = platform.network ?? disk.platformNetwork;
  boot.settings = settingsOf(boot.config ?? '');
  nameMachine(machine, boot);
}

/** A first configuration that is none is looked at again and again; the machine gets no further. */
async function taken(machine: Machine, boot: Boot, config: string): Promise<void> {
  const verdict = judgeConfig(machine, boot, config);
  if (verdict.kind === 'accepted') return;
  boot.kernel(`[talos] failed to use the configuration of the platform: ${verdict.message.split('\n')[0] ?? ''}`);
  await boot.until(() => false);
}

/** Waits for somebody to bring a configuration. */
async function maintain(machine: Machine, boot: Boot, teller: Teller): Promise<void> {
  teller.task('runningMaintenance', 'START');
  boot.enter('maintenance');
  tellPreparing(boot, 'apid');
  tellRunning(boot, 'apid');
  await machine.apid.open(boot, 'maintenance');
  tellHealthy(boot, 'apid');
  boot.kernel(
    () =>
      `[talos] this machine is reachable at: ${machine.address}; server certificate fingerprint: ${machine.apid.fingerprint() ?? ''}`,
  );
  await boot.until(() => boot.settings !== undefined);
  void machine.apid.close(boot).catch(() => undefined);
  teller.task('runningMaintenance', 'STOP');
}

async function bootUp(machine: Machine, boot: Boot, teller: Teller, metal: boolean): Promise<void> {
  const controlPlane = boot.settings?.type === 'controlplane';
  boot.kernel(`[talos] boot sequence: starting as ${boot.settings?.type ?? ''}`);
  void openApid(machine, boot).catch(() => undefined);
  teller.sequence('boot', 'START');
  await teller.phase('memorySizeCheck', { memorySizeCheck: undefined });
  await teller.phase('diskSizeCheck', { diskSizeCheck: undefined });
  await teller.phase('env', { setUserEnvVars: undefined, waitForCARoots: undefined });
  await teller.phase('dbus', { startDBus: undefined });
  if (!metal) await teller.phase('sharedFilesystems', { setupSharedFilesystems: undefined });
  await teller.phase('ephemeral', { mountEphemeralPartition: undefined });
  if (metal) {
    await teller.phase('udevSetup', { writeUdevRules: undefined });
    await teller.phase('userDisks', { mountUserDisks: undefined });
  }
  await teller.phase('userSetup', { writeUserFiles: undefined });
  await teller.phase('startEverything', {
    startAllServices: async () => {
      const etcd = controlPlane ? new EtcdService(machine, boot) : undefined;
      machine.etcd = etcd;
      startServices(machine, boot, etcd);
      const up = controlPlane ? ['apid', 'cri', 'kubelet', 'trustd'] : ['apid', 'cri', 'kubelet'];
      await boot.until(
        () =>
          up.every((id) => boot.services.isHealthy(id)) &&
          (etcd === undefined || etcd.bootstrapRequested || boot.services.isHealthy('etcd')),
      );
    },
  });
  machine.disk.fallback = undefined;
  teller.sequence('boot', 'STOP');
}

async function openApid(machine: Machine, boot: Boot): Promise<void> {
  await machine.apid.closed();
  if (boot.services.get('apid')?.state !== 'Running') {
    if (boot.settings?.type === 'worker') await machine.apid.certified(boot);
    tellPreparing(boot, 'apid');
    tellRunning(boot, 'apid');
  }
  await machine.apid.open(boot, 'configured');
  if (!boot.services.isHealthy('apid')) tellHealthy(boot, 'apid');
  boot.touch();
}

function startServices(machine: Machine, boot: Boot, etcd: EtcdService | undefined): void {
  tellStarting(boot, 'cri');
  if (etcd !== undefined) {
    tellStarting(boot, 'trustd');
    etcd.start();
    tellPreparing(boot, 'trustd');
    tellRunning(boot, 'trustd');
    void machine.trustd.open(boot).then(() => {
      tellHealthy(boot, 'trustd');
      machine.world.stir();
    });
  }
  tellStarting(boot, 'kubelet');
  tellPreparing(boot, 'cri');
  tellRunning(boot, 'cri');
  tellHealthy(boot, 'cri');
  void startKubelet(machine, boot).catch(() => undefined);
  void followKubernetes(machine, boot).catch(() => undefined);
  if (etcd !== undefined) void machine.kubernetes.follow(boot).catch(() => undefined);
}

export async function startKubelet(machine: Machine, boot: Boot): Promise<void> {
  tellStillWaiting(boot, 'kubelet');
  tellPreparing(boot, 'kubelet');
  await boot.sleep(machine.durations.kubelet);
  tellRunning(boot, 'kubelet');
  await boot.sleep(machine.durations.kubelet / 4);
  tellHealthy(boot, 'kubelet');
}

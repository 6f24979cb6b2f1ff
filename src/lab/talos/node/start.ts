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
import type { Machine } from './machine.ts';
import { nameMachine } from './naming.ts';
import { settingsOf } from './settings.ts';
import { installedOn } from './installing.ts';
import { Teller } from './telling.ts';

/** From power on to a node that runs. Ends with the boot. */
export async function startUp(machine: Machine, boot: Boot): Promise<void> {
  const teller = new Teller(boot);
  const metal = machine.options.platform !== 'container';
  teller.sequence('initialize', 'START');
  await boot.sleep(machine.durations.boot);
  if (metal) await teller.phase('systemRequirements', { enforceKSPPRequirements: undefined });
  await startEarlyServices(machine, boot, teller, metal);
  await loadConfig(machine, boot, teller);
  teller.sequence('initialize', 'STOP');
  teller.sequence('install', 'START');
  if (metal && machine.disk.system === undefined) return installedOn(machine, boot, teller);
  teller.sequence('install', 'STOP');
  await bootUp(machine, boot, teller, metal);
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
  nameMachine(machine, boot);
  boot.networkOpen = [];
  boot.touch();
  boot.events.publish(AddressEventSchema, { hostname: boot.hostname ?? '' });
  tellStillWaiting(boot, 'apid');
  // Addresses are told late: a node was seen to take half a minute for it.
  void boot
    .sleep(30_000)
    .then(() =>
      boot.events.publish(AddressEventSchema, { hostname: boot.hostname ?? '', addresses: [machine.options.address] }),
    )
    .catch(() => undefined);
}

async function loadConfig(machine: Machine, boot: Boot, teller: Teller): Promise<void> {
  const { disk } = machine;
  const handed = disk.config ?? machine.takeUserData();
  await teller.phase('config', {
    loadConfig: async () => {
      if (handed !== undefined) machine.activate(boot, handed);
      if (boot.settings === undefined) await maintain(machine, boot, teller);
    },
  });
  // Nothing can be kept before there is a disk to keep it on.
  if (disk.system !== undefined || machine.options.platform === 'container') disk.config ??= boot.config;
  boot.settings = settingsOf(boot.config ?? '');
  nameMachine(machine, boot);
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
      `[talos] this machine is reachable at: ${machine.options.address}; server certificate fingerprint: ${machine.apid.fingerprint() ?? ''}`,
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

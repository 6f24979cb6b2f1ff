import type { Boot } from './boot.ts';

type Life = {
  /** What it waits for, in the words of the service; the shorter list that is left in between, if one shows. */
  readonly waits?: string;
  readonly later?: string;
  readonly runner: 'task' | 'goroutine' | readonly string[];
};

const lives: Readonly<Record<string, Life>> = {
  machined: { runner: 'goroutine' },
  containerd: {
    runner: [
      '/bin/containerd',
      '--address',
      '/system/run/containerd/containerd.sock',
      '--state',
      '/system/run/containerd',
      '--root',
      '/system/var/lib/containerd',
    ],
  },
  apid: {
    waits: 'service "containerd" to be "up", api certificates, config to be ready',
    later: 'service "containerd" to be "up", config to be ready',
    runner: 'task',
  },
  udevd: { runner: ['/sbin/systemd-udevd', '--resolve-names=never'] },
  syslogd: { waits: 'service "machined" to be "up"', runner: 'goroutine' },
  auditd: { runner: 'goroutine' },
  dashboard: { waits: 'service "machined" to be "up"', runner: ['/sbin/dashboard'] },
  cri: {
    waits: 'volumes /var/lib, /var/lib/cni, /var/lib/containerd, /var/run, /var/run/lock to be mounted, network',
    runner: ['/bin/containerd', '--address', '/run/containerd/containerd.sock', '--config', '/etc/cri/containerd.toml'],
  },
  trustd: { waits: 'service "containerd" to be "up", time sync, network', runner: 'task' },
  kubelet: {
    waits:
      'volumes /var/lib, /var/lib/kubelet, /var/log, /var/log/audit, /var/log/containers, /var/log/pods, /var/lib/kubelet/seccomp, /var/lib/kubelet/seccomp/profiles, /var/log/audit/kube, /var/mnt to be mounted, service "cri" to be "up", time sync, network',
    later: 'service "cri" to be "up"',
    runner: 'task',
  },
  'ext-qemu-guest-agent': {
    waits:
      'service "containerd" to be "up", file "/system/run/machined/machine.sock" to exist, file "/dev/virtio-ports/org.qemu.guest_agent.0" to exist',
    runner: 'task',
  },
  etcd: {
    waits: 'volumes /var/lib, ETCD to be mounted, service "cri" to be "up", time sync, network, etcd spec',
    later: 'service "cri" to be "up"',
    runner: 'task',
  },
};

const lifeOf = (id: string): Life => lives[id] ?? { runner: 'task' };

export function tellStarting(boot: Boot, id: string): void {
  boot.services.tell(id, 'Starting', 'Starting service', { unknown: true, since: undefined });
  const { waits } = lifeOf(id);
  if (waits !== undefined) boot.services.tell(id, 'Waiting', `Waiting for ${waits}`);
}

export function tellStillWaiting(boot: Boot, id: string): void {
  const { later } = lifeOf(id);
  if (later !== undefined) boot.services.tell(id, 'Waiting', `Waiting for ${later}`);
}

export const tellPreparing = (boot: Boot, id: string): void => boot.services.tell(id, 'Preparing', 'Running pre state');

export function tellRunning(boot: Boot, id: string): void {
  tellCreating(boot, id);
  tellStarted(boot, id);
}

export const tellCreating = (boot: Boot, id: string): void =>
  boot.services.tell(id, 'Preparing', 'Creating service runner');

export function tellStarted(boot: Boot, id: string): void {
  const pid = boot.nextPid();
  const { runner } = lifeOf(id);
  const message =
    runner === 'goroutine'
      ? 'Service started as goroutine'
      : runner === 'task'
        ? `Started task ${id} (PID ${pid}) for container ${id}`
        : `Process Process([${runner.map((part) => `"${part}"`).join(' ')}]) started with PID ${pid}`;
  boot.services.tell(id, 'Running', message, { unknown: true, message: 'Unknown' });
  const service = boot.services.get(id);
  if (service !== undefined) service.pid = pid;
}

export const tellHealthy = (boot: Boot, id: string): void =>
  boot.services.tell(id, 'Running', 'Health check successful', { healthy: true });

export const tellUnhealthy = (boot: Boot, id: string, error: string): void =>
  boot.services.tell(id, 'Running', `Health check failed: ${error}`, { message: error });

export function tellStopping(boot: Boot, id: string): void {
  const { runner } = lifeOf(id);
  const pid = boot.services.get(id)?.pid ?? 0;
  const message =
    runner === 'task'
      ? `Sending SIGTERM to task ${id} (PID ${pid}, container ${id})`
      : runner === 'goroutine'
        ? 'Service stopping'
        : `Sending SIGTERM to Process([${runner.map((part) => `"${part}"`).join(' ')}])`;
  boot.services.tell(id, 'Stopping', message, { unknown: true, since: undefined });
}

export function tellFinished(boot: Boot, id: string, message = 'Service finished successfully'): void {
  boot.services.tell(id, 'Finished', message, { unknown: true, since: undefined });
  setStopped(boot, id);
}

/** Told when nobody asks: what runs no longer is not of unknown health, it is not running. */
export function setStopped(boot: Boot, id: string): void {
  const service = boot.services.get(id);
  if (service !== undefined)
    service.health = { unknown: false, healthy: false, message: 'service not running', since: boot.clock.now() };
}

/** Changes of a running node’s configuration, as strategic merge patches, and whether Talos reboots it for them. */
export type RebootSample = { readonly name: string; readonly patch: string; readonly reboot: boolean };

const sample = (reboot: boolean, name: string, patch: string): RebootSample => ({ name, patch, reboot });

/** Each may be laid over a configuration of `talosctl gen config` or of ours; each really changes it. */
export const rebootSamples: readonly RebootSample[] = [
  sample(false, 'debug', 'debug: true\n'),
  sample(false, 'cluster.network', 'cluster:\n  network:\n    dnsDomain: other.local\n'),
  sample(false, 'cluster.apiServer', 'cluster:\n  apiServer:\n    certSANs: [api.example.org]\n'),
  sample(false, 'cluster.extraManifests', 'cluster:\n  extraManifests: ["https://example.org/a.yaml"]\n'),
  sample(false, 'machine.certSANs', 'machine:\n  certSANs: [node.example.org]\n'),
  sample(false, 'machine.install', 'machine:\n  install:\n    wipe: true\n'),
  sample(false, 'machine.sysctls', 'machine:\n  sysctls:\n    net.core.somaxconn: "1024"\n'),
  sample(false, 'machine.sysfs', 'machine:\n  sysfs:\n    devices.system.cpu: "1"\n'),
  sample(false, 'machine.time', 'machine:\n  time:\n    servers: [ntp.example.org]\n'),
  sample(
    false,
    'machine.logging',
    'machine:\n  logging:\n    destinations: [{ endpoint: "tcp://10.0.0.9:5044", format: json_lines }]\n',
  ),
  sample(false, 'machine.kubelet', 'machine:\n  kubelet:\n    extraArgs:\n      v: "4"\n'),
  sample(false, 'machine.kernel', 'machine:\n  kernel:\n    modules: [{ name: br_netfilter }]\n'),
  sample(
    false,
    'machine.registries',
    'machine:\n  registries:\n    mirrors:\n      docker.io:\n        endpoints: ["https://mirror.example.org"]\n',
  ),
  sample(false, 'machine.pods', 'machine:\n  pods: [{ apiVersion: v1, kind: Pod, metadata: { name: a } }]\n'),
  sample(
    false,
    'machine.seccompProfiles',
    'machine:\n  seccompProfiles: [{ name: audit.json, value: { defaultAction: SCMP_ACT_LOG } }]\n',
  ),
  sample(false, 'machine.nodeLabels', 'machine:\n  nodeLabels:\n    example.org/rack: a1\n'),
  sample(false, 'machine.nodeAnnotations', 'machine:\n  nodeAnnotations:\n    example.org/owner: me\n'),
  sample(false, 'machine.nodeTaints', 'machine:\n  nodeTaints:\n    example.org/gpu: "yes:NoSchedule"\n'),
  sample(false, 'machine.features.kubePrism', 'machine:\n  features:\n    kubePrism:\n      port: 7446\n'),
  sample(false, 'machine.features.hostDNS', 'machine:\n  features:\n    hostDNS:\n      resolveMemberNames: true\n'),
  sample(false, 'machine.features.imageCache', 'machine:\n  features:\n    imageCache:\n      localEnabled: false\n'),
  sample(
    false,
    'machine.features.nodeAddressSortAlgorithm',
    'machine:\n  features:\n    nodeAddressSortAlgorithm: v2\n',
  ),
  sample(false, 'a document', 'apiVersion: v1alpha1\nkind: WatchdogTimerConfig\ndevice: /dev/watchdog0\n'),
  sample(true, 'machine.env', 'machine:\n  env:\n    GRPC_GO_LOG_VERBOSITY_LEVEL: "99"\n'),
  sample(true, 'machine.token', 'machine:\n  token: abcdef.0123456789abcdef\n'),
  sample(true, 'machine.files', 'machine:\n  files: [{ path: /var/a, op: create, permissions: 0o644, content: a }]\n'),
  sample(
    true,
    'machine.udev',
    'machine:\n  udev:\n    rules: [\'SUBSYSTEM=="drm", KERNEL=="renderD*", GROUP="44", MODE="0660"\']\n',
  ),
  sample(true, 'machine.features.diskQuotaSupport', 'machine:\n  features:\n    diskQuotaSupport: false\n'),
  sample(
    true,
    'machine.baseRuntimeSpecOverrides',
    'machine:\n  baseRuntimeSpecOverrides:\n    process:\n      rlimits: [{ type: RLIMIT_NOFILE, hard: 1024, soft: 1024 }]\n',
  ),
  sample(true, 'both kinds of change', 'debug: true\nmachine:\n  env:\n    A: b\n'),
];

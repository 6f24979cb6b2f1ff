/** Where nodes get their images: this machine, and never the internet. */
export const registryPort = 5055;

const mirror = (host: string, gateway: string): string =>
  `---
apiVersion: v1alpha1
kind: RegistryMirrorConfig
name: ${host}
endpoints:
  - url: http://${gateway}:${registryPort}
skipFallback: true
`;

/** Documents that send a node’s requests for images to this machine. */
export const mirrors = (gateway: string): string =>
  ['registry.k8s.io', 'ghcr.io', 'docker.io'].map((host) => mirror(host, gateway)).join('');

/** What a configuration needs so that it fits nodes without kernel, disks and internet; `cni: none` comes with it or is said elsewhere. */
export const fitting = (gateway: string, cni: 'none' | 'said elsewhere'): string => `machine:
  kubelet:
    extraConfig:
      failCgroupV1: false
cluster:
${cni === 'none' ? '  network:\n    cni:\n      name: none\n' : ''}  proxy:
    disabled: true
  coreDNS:
    disabled: true
${mirrors(gateway)}`;

/** What configurations call the first card of a machine, whichever it is. */
export const firstCard = 'net0';

/** Words of Talos and the numbers that stand for them. */
export const stages = {
  unknown: 0,
  booting: 1,
  installing: 2,
  maintenance: 3,
  running: 4,
  rebooting: 5,
  'shutting down': 6,
  resetting: 7,
  upgrading: 8,
} as const;

export const machineTypes = { unknown: 0, init: 1, controlplane: 2, worker: 3 } as const;
export const selinuxStates = { disabled: 0, 'enabled, permissive': 1, 'enabled, enforcing': 2 } as const;
export const fipsStates = { disabled: 0, enabled: 1, 'enabled, strict': 2 } as const;
export const sortAlgorithms = { v1: 0, v2: 1 } as const;
export const families = { 'Family(0)': 0, inet4: 2, inet6: 10 } as const;
export const scopes = { global: 0, site: 200, link: 253, host: 254, nowhere: 255 } as const;

export const linkTypes = {
  netrom: 0,
  ether: 1,
  infiniband: 32,
  ipip: 768,
  loopback: 772,
  sit: 776,
  gre: 778,
  nohdr: 65534,
} as const;

export const linkFlags = {
  UP: 1,
  BROADCAST: 2,
  DEBUG: 4,
  LOOPBACK: 8,
  POINTTOPOINT: 16,
  RUNNING: 64,
  NOARP: 128,
  PROMISC: 256,
  ALLMULTI: 512,
  MASTER: 1024,
  SLAVE: 2048,
  MULTICAST: 4096,
  LOWER_UP: 65_536,
} as const;

export const addressFlags = {
  temporary: 1,
  nodad: 2,
  optimistic: 4,
  dadfailed: 8,
  deprecated: 32,
  tentative: 64,
  permanent: 128,
  mngmtmpaddr: 256,
  noprefixroute: 512,
  stableprivacy: 2048,
} as const;

export const operationalStates = {
  unknown: 0,
  notPresent: 1,
  down: 2,
  lowerLayerDown: 3,
  testing: 4,
  dormant: 5,
  up: 6,
} as const;

export const ports = { TwistedPair: 0, AUI: 1, MII: 2, BNC: 4, DirectAttach: 5, None: 239, Other: 255 } as const;
export const duplexes = { Half: 0, Full: 1, Unknown: 255 } as const;

export const routingTables = { unspec: 0, default: 253, main: 254, local: 255 } as const;
export const routeTypes = {
  unspec: 0,
  unicast: 1,
  local: 2,
  broadcast: 3,
  anycast: 4,
  multicast: 5,
  blackhole: 6,
} as const;
export const routeFlags = { notify: 256, cloned: 512, equalize: 1024, prefix: 2048 } as const;
export const routeProtocols = { unspec: 0, redirect: 1, kernel: 2, boot: 3, static: 4, ra: 9, dhcp: 16 } as const;

export const volumePhases = {
  waiting: 0,
  failed: 1,
  missing: 2,
  located: 3,
  provisioned: 4,
  prepared: 5,
  ready: 6,
  closed: 7,
} as const;

export const volumeTypes = {
  partition: 0,
  disk: 1,
  tmpfs: 2,
  directory: 3,
  symlink: 4,
  overlay: 5,
  external: 6,
} as const;

export const filesystems = { none: 0, xfs: 1, vfat: 2, ext4: 3, iso9660: 4, swapi: 5, virtiofs: 6 } as const;
export const encryptionProviders = { none: 0, luks2: 1 } as const;

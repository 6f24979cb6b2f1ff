type Role = 'os:admin' | 'os:operator' | 'os:reader' | 'os:etcd:backup' | 'os:meta:writer' | 'os:image:verifier';
type CallKind = 'unary' | 'server' | 'client' | 'both';
export type Method = {
  readonly path: string;
  readonly kind: CallKind;
  readonly roles: readonly Role[];
  /** Minor versions that have it. */
  readonly since: number;
  readonly until: number;
};

const letters: Readonly<Record<string, Role>> = {
  A: 'os:admin',
  O: 'os:operator',
  R: 'os:reader',
  E: 'os:etcd:backup',
  M: 'os:meta:writer',
  V: 'os:image:verifier',
};
const kinds: Readonly<Record<string, CallKind>> = { U: 'unary', S: 'server', C: 'client', B: 'both' };

// service · methods, each as name:kind:roles[:since[:until]]
const table = `
machine.MachineService ApplyConfiguration:U:A Bootstrap:U:A Kubeconfig:S:A Version:U:AOR Hostname:U:AOR Reboot:U:AO Shutdown:U:AO Reset:U:A Rollback:U:A Upgrade:U:A
machine.MachineService ServiceList:U:AOR ServiceStart:U:AO ServiceStop:U:AO ServiceRestart:U:AO
machine.MachineService EtcdMemberList:U:AORE EtcdRemoveMemberByID:U:A EtcdLeaveCluster:U:A EtcdForfeitLeadership:U:A EtcdSnapshot:S:AOE EtcdRecover:C:A EtcdStatus:U:AORE EtcdAlarmList:U:AORE
machine.MachineService EtcdAlarmDisarm:U:AO EtcdDefragment:U:AO EtcdDowngradeValidate:U:A:11 EtcdDowngradeEnable:U:A:11 EtcdDowngradeCancel:U:A:11
machine.MachineService Events:S:AOR Dmesg:S:AOR Logs:S:AOR LogsContainers:U:AOR Memory:U:AOR LoadAvg:U:AOR SystemStat:U:AOR CPUInfo:U:AOR CPUFreqStats:U:AOR DiskStats:U:AOR NetworkDeviceStats:U:AOR Processes:U:AOR Mounts:U:AOR
machine.MachineService DiskUsage:S:AOR List:S:AOR Read:S:A Copy:S:A Containers:U:AOR Stats:U:AOR Restart:U:AO Netstat:U:AOR PacketCapture:S:AO MetaWrite:U:AM MetaDelete:U:AM
machine.MachineService ImageList:S:AOR ImagePull:U:AO GenerateClientConfiguration:U:A GenerateConfiguration:U:A:0:12
machine.ImageService List:S:AOR:13 Pull:S:AO:13 Import:C:A:13 Remove:U:A:13 Verify:U:AORV:13
machine.LifecycleService Install:S:A:13 Upgrade:S:A:13
machine.DebugService ContainerRun:B:A:13
cluster.ClusterService HealthCheck:S:AOR
inspect.InspectService ControllerRuntimeDependencies:U:AOR
storage.StorageService Disks:U:AOR BlockDeviceWipe:U:A
time.TimeService Time:U:AOR TimeCheck:U:AOR
cosi.resource.State Get:U:AOR List:S:AOR Watch:S:AOR Create:U:A Update:U:A Destroy:U:A
`;

export const methods: ReadonlyMap<string, Method> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [service = '', ...rows] = line.split(' ');
      return rows.map((row) => methodOf(service, row));
    })
    .map((method) => [method.path, method]),
);

function methodOf(service: string, row: string): Method {
  const [name = '', kind = 'U', roles = 'A', since = '0', until = '99'] = row.split(':');
  return {
    path: `/${service}/${name}`,
    kind: kinds[kind] ?? 'unary',
    roles: roles.split('').flatMap((letter) => letters[letter] ?? []),
    since: Number(since),
    until: Number(until),
  };
}

export const minorOf = (version: string): number => Number(/^v?\d+\.(\d+)/.exec(version)?.[1] ?? 13);

/** The method, or Talos’ words for one that this version does not have. */
export function methodAt(path: string, version: string): Method | string {
  const minor = minorOf(version);
  const there = (method: Method): boolean => method.since <= minor && minor <= method.until;
  const method = methods.get(path);
  if (method !== undefined && there(method)) return method;
  const [, service = '', name = ''] = /^\/([^/]*)\/(.*)$/.exec(path) ?? [];
  const known = [...methods.values()].some((each) => each.path.startsWith(`/${service}/`) && there(each));
  return known ? `unknown method ${name} for service ${service}` : `unknown service ${service}`;
}

import { anyAt, at, flag, integer, needed, oneOf, text, texts } from './notation.ts';
import type { Api, Endpoint, Permission } from './notation.ts';
import { notNegative } from './values.ts';

const onHost = { protected: true, proxied: true } as const;
const anyOf = (...privileges: readonly string[]): Permission =>
  anyAt('/vms/{vmid}', ...privileges, 'VM.GuestAgent.Unrestricted');
const audited = { ...onHost, permission: anyOf('VM.GuestAgent.Audit') };
const fileSystems = { ...onHost, permission: anyOf('VM.GuestAgent.FileSystemMgmt') };
const power = { ...onHost, permission: anyOf('VM.PowerMgmt') };
const unrestricted = { ...onHost, permission: at('/vms/{vmid}', 'VM.GuestAgent.Unrestricted') };

/** Commands without parameters, each with a path of its own. */
const commands: Readonly<Record<string, readonly ['GET' | 'POST', Endpoint]>> = {
  'fsfreeze-freeze': ['POST', fileSystems],
  'fsfreeze-status': ['POST', { ...onHost, permission: anyOf('VM.GuestAgent.Audit', 'VM.GuestAgent.FileSystemMgmt') }],
  'fsfreeze-thaw': ['POST', fileSystems],
  fstrim: ['POST', fileSystems],
  'get-fsinfo': ['GET', audited],
  'get-host-name': ['GET', audited],
  'get-memory-block-info': ['GET', audited],
  'get-memory-blocks': ['GET', audited],
  'get-osinfo': ['GET', audited],
  'get-time': ['GET', audited],
  'get-timezone': ['GET', audited],
  'get-users': ['GET', audited],
  'get-vcpus': ['GET', audited],
  info: ['GET', audited],
  'network-get-interfaces': ['GET', audited],
  ping: ['POST', audited],
  shutdown: ['POST', power],
  'suspend-disk': ['POST', power],
  'suspend-hybrid': ['POST', power],
  'suspend-ram': ['POST', power],
};

const path = '/nodes/{node}/qemu/{vmid}/agent';

/** The guest agent. */
export const agent: Api = {
  [`GET ${path}`]: { permission: 'all', proxied: true, extra: true },
  [`POST ${path}`]: {
    ...onHost,
    permission: anyOf('VM.GuestAgent.Unrestricted'),
    params: { command: needed(oneOf(Object.keys(commands))) },
  },
  ...Object.fromEntries(
    Object.entries(commands).map(([name, [method, endpoint]]) => [`${method} ${path}/${name}`, endpoint]),
  ),
  [`POST ${path}/exec`]: {
    ...unrestricted,
    params: { command: needed(texts()), 'input-data': text({ maxLength: 65_536 }) },
  },
  [`GET ${path}/exec-status`]: { ...unrestricted, params: { pid: needed(integer()) } },
  [`GET ${path}/file-read`]: {
    ...onHost,
    permission: anyOf('VM.GuestAgent.FileRead'),
    params: {
      count: integer({ minimum: 1, maximum: 16_777_216 }),
      decode: flag(),
      file: needed(text()),
      offset: notNegative,
    },
  },
  [`POST ${path}/file-write`]: {
    ...onHost,
    permission: anyOf('VM.GuestAgent.FileWrite'),
    params: { content: needed(text({ maxLength: 61_440 })), encode: flag(), file: needed(text()) },
  },
  [`POST ${path}/set-user-password`]: {
    ...unrestricted,
    params: {
      crypted: flag(),
      password: needed(text({ minLength: 5, maxLength: 1024 })),
      username: needed(text()),
    },
  },
};

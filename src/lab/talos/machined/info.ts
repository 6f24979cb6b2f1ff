import { create } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { HostnameResponseSchema, VersionResponseSchema } from '../../../wire/gen/talos/machine_pb.ts';
import { unary } from './call.ts';
import type { Handler } from './call.ts';

export const infoHandlers: Readonly<Record<string, Handler>> = {
  '/machine.MachineService/Version': unary(EmptySchema, VersionResponseSchema, ({ boot }) => {
    const { platform } = boot.image;
    const mode = platform === 'metal' || platform === 'container' ? platform : 'cloud';
    return create(VersionResponseSchema, {
      messages: [
        {
          version: { tag: boot.version, sha: 'undefined', goVersion: 'go1.26.8', os: 'linux', arch: 'amd64' },
          platform: { name: platform, mode },
          ...(boot.settings === undefined ? {} : { features: { rbac: true } }),
        },
      ],
    });
  }),

  '/machine.MachineService/Hostname': unary(EmptySchema, HostnameResponseSchema, ({ boot }) =>
    create(HostnameResponseSchema, { messages: [{ hostname: boot.hostname ?? '' }] }),
  ),
};

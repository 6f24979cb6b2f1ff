import { create } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import {
  BlockDeviceWipeRequestSchema,
  BlockDeviceWipeResponseSchema,
  Disk_DiskType,
  DisksResponseSchema,
} from '../../../wire/gen/talos/storage_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { busPathOf } from '../node/hardware.ts';
import { unary } from './call.ts';
import type { Handler } from './call.ts';

export const storageHandlers: Readonly<Record<string, Handler>> = {
  '/storage.StorageService/Disks': unary(EmptySchema, DisksResponseSchema, ({ machine }) =>
    create(DisksResponseSchema, {
      messages: [
        {
          disks: machine.hardware.disks.map((disk, index) => ({
            size: disk.sizeBytes,
            model: disk.model,
            deviceName: `/dev/${disk.name}`,
            name: disk.name,
            serial: disk.serial,
            type:
              disk.cdrom === true
                ? Disk_DiskType.CD
                : disk.name.startsWith('nvme')
                  ? Disk_DiskType.NVME
                  : Disk_DiskType.HDD,
            readonly: disk.cdrom === true,
            busPath: busPathOf(index),
            subsystem: '/sys/class/block',
            systemDisk: machine.disk.system === `/dev/${disk.name}`,
          })),
        },
      ],
    }),
  ),

  '/storage.StorageService/BlockDeviceWipe': unary(
    BlockDeviceWipeRequestSchema,
    BlockDeviceWipeResponseSchema,
    ({ machine }, { devices }) => {
      for (const { device } of devices) {
        if (!machine.hardware.disks.some(({ name }) => name === device))
          throw new GrpcStatus('NOT_FOUND', `blockdevice "${device}" not found`);
        if (machine.disk.system === `/dev/${device}`)
          throw new GrpcStatus('FAILED_PRECONDITION', `blockdevice "${device}" is in use by disk "${device}"`);
      }
      for (const { device } of devices) machine.surroundings.write(device, undefined);
      return create(BlockDeviceWipeResponseSchema, { messages: [{}] });
    },
  ),
};

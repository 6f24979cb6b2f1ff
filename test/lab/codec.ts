import { fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import type { DescMessage, DescMethod, DescService, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { State } from '../../src/wire/gen/cosi/resource_pb.ts';
import { ClusterService } from '../../src/wire/gen/talos/cluster_pb.ts';
import { InspectService } from '../../src/wire/gen/talos/inspect_pb.ts';
import {
  AddressEventSchema,
  EventSchema,
  ImageService,
  LifecycleService,
  MachineService,
  MachineStatusEventSchema,
  PhaseEventSchema,
  SequenceEventSchema,
  ServiceStateEventSchema,
  TaskEventSchema,
} from '../../src/wire/gen/talos/machine_pb.ts';
import { SecurityService } from '../../src/wire/gen/talos/security_pb.ts';
import { StorageService } from '../../src/wire/gen/talos/storage_pb.ts';
import { TimeService } from '../../src/wire/gen/talos/time_pb.ts';

const services: readonly DescService[] = [
  State,
  ClusterService,
  InspectService,
  ImageService,
  LifecycleService,
  MachineService,
  SecurityService,
  StorageService,
  TimeService,
];

const methods = new Map<string, DescMethod>(
  services.flatMap((service) =>
    service.methods.map((method) => [`/${service.typeName}/${method.name}`, method] as const),
  ),
);

/** Fields of requests that the product never sends: numbers by name. */
const unlisted: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Containers: { namespace: 1 },
  Stats: { namespace: 1 },
  Restart: { namespace: 1, id: 2 },
  PacketCapture: { interface: 1 },
  EtcdDowngradeValidate: { version: 1 },
  EtcdDowngradeEnable: { version: 1 },
};

export function requestBytes(path: string, request: JsonObject): Uint8Array {
  const method = methods.get(path);
  if (method !== undefined) return toBinary(method.input, fromJson(method.input, request));
  const numbers = unlisted[path.split('/').at(-1) ?? ''] ?? {};
  const out = new BinaryWriter();
  for (const [name, value] of Object.entries(request)) {
    const number = numbers[name];
    if (number !== undefined && typeof value === 'string') out.tag(number, WireType.LengthDelimited).string(value);
  }
  return out.finish();
}

type Names = {
  readonly [number: number]: string | { readonly list?: string; readonly one?: string; readonly of: Names };
};

const downgraded: Names = {
  1: { list: 'messages', of: { 2: { one: 'cluster_downgrade', of: { 1: 'cluster_version' } } } },
};

/** Replies that the product never reads: names of their fields. */
const replies: Readonly<Record<string, Names>> = {
  EtcdDowngradeValidate: downgraded,
  EtcdDowngradeCancel: downgraded,
  Containers: {
    1: {
      list: 'messages',
      of: {
        2: {
          list: 'containers',
          of: {
            1: 'namespace',
            2: 'id',
            3: 'image',
            4: 'pid',
            5: 'status',
            6: 'pod_id',
            7: 'name',
            9: 'internal_id',
            10: 'uid',
          },
        },
      },
    },
  },
};

function rawJson(names: Names | undefined, message: Uint8Array): JsonValue | undefined {
  if (names === undefined) return undefined;
  const json: { [key: string]: JsonValue } = {};
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const name = names[number];
    if (wire === WireType.Varint) {
      const value = Number(reader.uint64());
      if (typeof name === 'string') json[name] = value;
    } else if (wire === WireType.LengthDelimited) {
      const bytes = reader.bytes();
      if (typeof name === 'string') json[name] = Buffer.from(bytes).toString('utf8');
      else if (name !== undefined) {
        const value = rawJson(name.of, bytes) ?? null;
        if (name.one !== undefined) json[name.one] = value;
        if (name.list !== undefined) json[name.list] = [...((json[name.list] as JsonValue[] | undefined) ?? []), value];
      }
    } else reader.skip(wire);
  }
  return json;
}

/** `undefined` for a message that we have no description of. */
export function responseJson(path: string, message: Uint8Array): JsonValue | undefined {
  const method = methods.get(path);
  if (method === undefined) return rawJson(replies[path.split('/').at(-1) ?? ''], message);
  if (method.output === EventSchema) return eventJson(message);
  return toJson(method.output, fromBinary(method.output, message), { useProtoFieldName: true });
}

const eventSchemas = new Map<string, DescMessage>(
  [
    AddressEventSchema,
    MachineStatusEventSchema,
    PhaseEventSchema,
    SequenceEventSchema,
    ServiceStateEventSchema,
    TaskEventSchema,
  ].map((schema) => [`talos/runtime/${schema.typeName}`, schema]),
);

function eventJson(message: Uint8Array): JsonValue {
  const { data, id, actorId } = fromBinary(EventSchema, message);
  const schema = eventSchemas.get(data?.typeUrl ?? '');
  const content =
    schema === undefined || data === undefined
      ? {}
      : {
          '@type': data.typeUrl,
          ...(toJson(schema, fromBinary(schema, data.value), { useProtoFieldName: true }) as JsonObject),
        };
  return { data: content, id, ...(actorId === '' ? {} : { actor_id: actorId }) };
}

/** How many fields a raw reply has in its only message, so that something of it is looked at. */
export function fieldCount(message: Uint8Array): number {
  const reader = new BinaryReader(message);
  let count = 0;
  while (reader.pos < reader.len) {
    const [, wire] = reader.tag();
    reader.skip(wire);
    count += 1;
  }
  return count;
}

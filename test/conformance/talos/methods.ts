import {
  create,
  createRegistry,
  type DescMethod,
  type DescService,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { State } from '../../../src/wire/gen/cosi/resource_pb.ts';
import { ClusterService } from '../../../src/wire/gen/talos/cluster_pb.ts';
import { InspectService } from '../../../src/wire/gen/talos/inspect_pb.ts';
import {
  file_talos_machine,
  ImageService,
  LifecycleService,
  MachineService,
} from '../../../src/wire/gen/talos/machine_pb.ts';
import { SecurityService } from '../../../src/wire/gen/talos/security_pb.ts';
import { StorageService } from '../../../src/wire/gen/talos/storage_pb.ts';
import { TimeService } from '../../../src/wire/gen/talos/time_pb.ts';

const services: Readonly<Record<string, DescService>> = {
  MachineService,
  ImageService,
  LifecycleService,
  ClusterService,
  InspectService,
  StorageService,
  TimeService,
  SecurityService,
  State,
};
const registry = createRegistry(file_talos_machine);

/** `Version` is of the MachineService; others are written `ImageService/List`. */
export function methodOf(name: string): DescMethod | undefined {
  const [service, method] = name.includes('/') ? (name.split('/') as [string, string]) : ['MachineService', name];
  return services[service]?.methods.find((candidate) => candidate.name === method);
}

export const pathOf = (name: string): string => {
  const method = methodOf(name);
  return method === undefined ? `/${name}` : `/${method.parent.typeName}/${method.name}`;
};

/** Requests and answers as the JSON of protobuf: readable in a case, and whole. */
export function encodeRequest(name: string, request: JsonObject): Uint8Array {
  const method = methodOf(name);
  if (method === undefined) return new Uint8Array();
  return toBinary(method.input, fromJson(method.input, request, { registry }));
}

export function decodeAnswer(name: string, body: Uint8Array): JsonValue {
  const method = methodOf(name);
  if (method === undefined) return null;
  return toJson(method.output, fromBinary(method.output, body), { registry });
}

export const emptyRequest = (name: string): Uint8Array => {
  const method = methodOf(name);
  return method === undefined ? new Uint8Array() : toBinary(method.input, create(method.input));
};

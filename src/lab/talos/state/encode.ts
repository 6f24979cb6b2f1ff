import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ResourceSchema, type Resource } from '../../../wire/gen/cosi/resource_pb.ts';
import type { TwinResource } from './resource.ts';

type Timestamp = { readonly seconds: bigint; readonly nanos: number };

// A node measures in nanoseconds; these stand for the digits that the lab's clock does not have.
const belowMilliseconds = 186_266;
const madeBeforeCreated = 13_606;

const timestamp = (date: Date, lessNanos = 0): Timestamp => {
  const ms = date.getTime();
  const seconds = Math.floor(ms / 1000);
  return { seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1_000_000 + belowMilliseconds - lessNanos };
};

/** As the wire carries it. A resource is made some microseconds before it is in the state. */
export function resourceMessage(resource: TwinResource): Resource {
  const { namespace, type, id, owner, phase, proto, yaml } = resource;
  return create(ResourceSchema, {
    metadata: {
      namespace,
      type,
      id,
      version: String(resource.version),
      owner,
      phase,
      created: timestamp(resource.created),
      updated: timestamp(resource.updated, resource.version === 1 ? madeBeforeCreated : 0),
      finalizers: [...resource.finalizers],
      labels: { ...resource.labels },
      annotations: { ...resource.annotations },
    },
    spec: { protoSpec: proto, yamlSpec: yaml },
  });
}

/** What stands for a resource that is not there, and for the marks in a watch. */
export function tombstone(namespace: string, type: string, id: string, now: Date): Resource {
  const times = { created: timestamp(now), updated: timestamp(now) };
  const metadata: MessageInitShape<typeof ResourceSchema>['metadata'] = {
    namespace,
    type,
    id,
    version: 'undefined',
    phase: 'running',
    ...times,
  };
  return create(ResourceSchema, { metadata, spec: {} });
}

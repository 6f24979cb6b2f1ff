import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { parseDocument } from 'yaml';
import type { Resource as WireResource } from '../../wire/gen/cosi/resource_pb.ts';
import type { Resource } from '../talos.ts';

export function resourceOf({ metadata, spec }: WireResource): Resource {
  const yaml = spec?.yamlSpec ?? '';
  let read: { readonly spec: unknown } | undefined;
  return {
    namespace: metadata?.namespace ?? '',
    type: metadata?.type ?? '',
    id: metadata?.id ?? '',
    version: metadata?.version ?? '',
    phase: metadata?.phase ?? '',
    owner: metadata?.owner ?? '',
    created: dateOf(metadata?.created),
    updated: dateOf(metadata?.updated),
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? {},
    finalizers: metadata?.finalizers ?? [],
    // Read when somebody looks: most of what is listed is only counted, or decoded from `proto`.
    get spec() {
      read ??= { spec: parsedOnce(yaml) };
      return read.spec;
    },
    yaml,
    proto: spec?.protoSpec ?? new Uint8Array(),
  };
}

const dateOf = (at: Timestamp | undefined): Date => (at === undefined ? new Date(0) : timestampDate(at));

/** Nodes of a cluster say much of the same: short texts are read once. */
function parsedOnce(yaml: string): unknown {
  if (yaml.length > longestKept) return parsed(yaml);
  if (!kept.has(yaml) && kept.size >= mostKept) kept.clear();
  if (!kept.has(yaml)) kept.set(yaml, deepFrozen(parsed(yaml)));
  return kept.get(yaml);
}

const kept = new Map<string, unknown>();
const longestKept = 1000;
const mostKept = 200;

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    for (const each of Object.values(Object.freeze(value))) deepFrozen(each);
  return value;
}

/** What is not YAML for us is shown as it was written. */
function parsed(yaml: string): unknown {
  if (yaml === '') return undefined;
  const document = parseDocument(yaml);
  return document.errors.length === 0 ? (document.toJS() as unknown) : yaml;
}

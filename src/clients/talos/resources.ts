import { fromBinary } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { Problem } from '../../model/problem.ts';
import { nearest } from '../../model/nearest.ts';
import { ResourceDefinitionSpec_Sensitivity, ResourceDefinitionSpecSchema } from '../../wire/gen/cosi/meta_pb.ts';
import { EventType, State, type Event } from '../../wire/gen/cosi/resource_pb.ts';
import type { Resource, ResourceChange, ResourceDefinition, ResourceQuery, TalosReader } from '../talos.ts';
import type { Line } from './call.ts';
import { badData } from './problems.ts';
import { redact } from './redact.ts';
import { resourceOf } from './resource.ts';

type Reads = Pick<TalosReader, 'definitions' | 'get' | 'list' | 'watch'>;
type Place = { readonly type: string; readonly namespace: string };

export function resourceReads(line: Line): Reads {
  const state = createClient(State, line.transport);
  let known: { readonly connection: number; readonly definitions: readonly ResourceDefinition[] } | undefined;

  async function listPlace({ type, namespace }: Place, signal: AbortSignal): Promise<readonly Resource[]> {
    const found: Resource[] = [];
    for await (const { resource } of line.stream('resources', signal, (options) =>
      state.list({ type, namespace, options: {} }, options),
    ))
      if (resource !== undefined) found.push(resourceOf(resource));
    return found;
  }

  /** Which types there are can change only with the node’s version, and so not while a connection lasts. */
  async function definitions(signal: AbortSignal): Promise<readonly ResourceDefinition[]> {
    if (known?.connection === line.session.connections) return known.definitions;
    const found = await listPlace({ type: 'ResourceDefinitions.meta.cosi.dev', namespace: 'meta' }, signal);
    known = { connection: line.session.connections, definitions: found.map(definitionOf) };
    return known.definitions;
  }

  async function placeOf({ type, namespace }: ResourceQuery, signal: AbortSignal): Promise<Place> {
    if (isFullName(type) && namespace !== undefined) return { type, namespace };
    const definition = definitionFor(type, await definitions(signal), line.host);
    return { type: definition.type, namespace: namespace ?? definition.namespace };
  }

  return {
    definitions,
    async get(query, signal) {
      const place = await placeOf(query, signal);
      try {
        const answer = await line.ask('a resource', signal, (options) =>
          state.get({ ...place, id: query.id, options: {} }, options),
        );
        return answer.resource && resourceOf(answer.resource);
      } catch (error) {
        if (error instanceof Problem && error.code === 'talos-not-found') return undefined;
        throw error;
      }
    },
    async list(query, signal) {
      const found = await listPlace(await placeOf(query, signal), signal);
      return query.id === undefined ? found : found.filter(({ id }) => id === query.id);
    },
    async *watch(query, signal) {
      const place = await placeOf(query, signal);
      const one = query.id === undefined ? {} : { id: query.id };
      const request = { ...place, ...one, apiVersion: 1, options: { bootstrapContents: query.id === undefined } };
      let told = false;
      for await (const { event: events } of line.endless('a watch', signal, (options) => state.watch(request, options)))
        for (const event of events) {
          const change = changeOf(event, line.host);
          const nothingThere = change?.kind === 'destroyed' && change.resource.version === 'undefined';
          if (change !== undefined && !nothingThere) yield change;
          // For a single resource the node does not say so itself: its first word is all there was.
          if (query.id !== undefined && !told) yield { kind: 'bootstrapped' };
          told = true;
        }
    },
  };
}

function changeOf({ eventType, resource, old, error }: Event, host: string): ResourceChange | undefined {
  if (eventType === EventType.ERRORED)
    throw badData('talos-watch-failed', `${host} ended a watch: ${redact(error ?? '')}`);
  if (eventType === EventType.BOOTSTRAPPED) return { kind: 'bootstrapped' };
  if (resource === undefined) return undefined;
  switch (eventType) {
    case EventType.CREATED:
      return { kind: 'created', resource: resourceOf(resource) };
    case EventType.DESTROYED:
      return { kind: 'destroyed', resource: resourceOf(resource) };
    case EventType.UPDATED:
      return { kind: 'updated', resource: resourceOf(resource), old: old && resourceOf(old) };
    default:
      return undefined;
  }
}

const isFullName = (type: string): boolean => /^[A-Z]\w*\.[\w.]+$/.test(type);

function definitionOf({ proto }: Resource): ResourceDefinition {
  const spec = fromBinary(ResourceDefinitionSpecSchema, proto);
  return {
    type: spec.resourceType,
    namespace: spec.defaultNamespace,
    aliases: [...new Set([...spec.aliases, ...spec.allAliases])],
    sensitive: spec.sensitivity === ResourceDefinitionSpec_Sensitivity.SENSITIVE,
    columns: spec.printColumns.map(({ name, jsonPath }) => ({ name, path: jsonPath })),
  };
}

function definitionFor(asked: string, all: readonly ResourceDefinition[], host: string): ResourceDefinition {
  const name = asked.toLowerCase();
  const exact = all.find(({ type }) => type.toLowerCase() === name);
  const found = exact === undefined ? all.filter(({ aliases }) => aliases.includes(name)) : [exact];
  const [definition, another] = found;
  if (definition === undefined) throw noSuchType(asked, all, host);
  if (another !== undefined)
    throw new Problem('talos-ambiguous-resource', `"${asked}" can be ${found.map(({ type }) => type).join(' or ')}.`, {
      remedy: `Use the full name:\n    ichor talos get ${definition.type} -n ${host}`,
    });
  return definition;
}

function noSuchType(asked: string, all: readonly ResourceDefinition[], host: string): Problem {
  const names = all.flatMap(({ type, aliases }) => [type, ...aliases]);
  const guess = nearest(asked, names);
  return new Problem('talos-no-such-resource', `${host} has no resources of type "${asked}".`, {
    remedy:
      guess === undefined
        ? `List what there is:\n    ichor talos get resourcedefinitions -n ${host}`
        : `Did you mean ${guess}?\n    ichor talos get ${guess} -n ${host}`,
  });
}

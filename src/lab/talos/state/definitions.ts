import { create, toBinary } from '@bufbuild/protobuf';
import {
  NamespaceSpecSchema,
  ResourceDefinitionSpec_Sensitivity,
  ResourceDefinitionSpecSchema,
} from '../../../wire/gen/cosi/meta_pb.ts';
import { goYaml } from './go-yaml.ts';
import type { ResourceContent } from './resource.ts';
import { typeRows, type TypeRow } from './type-table.ts';

export const metaNamespace = 'meta';
const namespaceType = 'Namespaces.meta.cosi.dev';
export const definitionType = 'ResourceDefinitions.meta.cosi.dev';

const namespaces: Readonly<Record<string, string>> = {
  cluster: 'Cluster configuration and discovery resources.',
  'cluster-raw': 'Cluster unmerged raw resources.',
  config: 'Talos node configuration.',
  controlplane: 'Kubernetes control plane resources.',
  cri: 'CRI Seccomp resources.',
  etcd: 'etcd resources.',
  files: 'Files and file-like resources.',
  hardware: 'Hardware resources.',
  k8s: 'Kubernetes all node types resources.',
  kubespan: 'KubeSpan resources.',
  meta: 'Metadata namespace which contains resource and namespace definitions.',
  network: 'Networking resources.',
  'network-config': 'Networking configuration resources.',
  perf: 'Stats resources.',
  runtime: 'Talos v1alpha1 subsystems glue resources.',
  secrets: 'Resources with secret material.',
  security: 'Security resources.',
};

const byId: ReadonlyMap<string, TypeRow> = new Map(typeRows.map((row) => [row.type.toLowerCase(), row]));

/** The declared type; its name may be written in any case. */
export const definitionOf = (type: string): TypeRow | undefined => byId.get(type.toLowerCase());

export const isNamespace = (name: string): boolean => Object.hasOwn(namespaces, name);

/** Short names that `talosctl get` understands, those for people first told apart from all of them. */
export function aliasesOf(row: TypeRow): { readonly people: readonly string[]; readonly all: readonly string[] } {
  const own = row.aliases ?? [];
  if (row.onlyThese === true) return { people: own, all: own };
  const [plural = '', ...suffix] = row.type.split('.');
  const initials = plural.replace(/[^A-Z]/g, '');
  const short = initials.length < 2 ? [] : initials.endsWith('S') ? [initials] : [initials, `${initials}s`];
  const people = [...own, row.one.toLowerCase(), ...short.map((each) => each.toLowerCase())];
  const longer = suffix.map((_, at) => [plural.toLowerCase(), ...suffix.slice(0, at)].join('.'));
  return { people, all: [...longer, ...people] };
}

function namespaceContent([id, description]: [string, string]): ResourceContent {
  return {
    namespace: metaNamespace,
    type: namespaceType,
    id,
    owner: 'meta',
    proto: toBinary(NamespaceSpecSchema, create(NamespaceSpecSchema, { description })),
    yaml: goYaml({ description }),
  };
}

function definitionContent(row: TypeRow): ResourceContent {
  const { people, all } = aliasesOf(row);
  const columns = Object.entries(row.columns ?? {});
  const spec = create(ResourceDefinitionSpecSchema, {
    resourceType: row.type,
    displayType: row.one,
    defaultNamespace: row.namespace,
    aliases: [...people],
    allAliases: [...all],
    printColumns: columns.map(([name, jsonPath]) => ({ name, jsonPath })),
    sensitivity:
      row.sensitive === true
        ? ResourceDefinitionSpec_Sensitivity.SENSITIVE
        : ResourceDefinitionSpec_Sensitivity.NON_SENSITIVE,
  });
  return {
    namespace: metaNamespace,
    type: definitionType,
    id: row.type.toLowerCase(),
    owner: 'meta',
    proto: toBinary(ResourceDefinitionSpecSchema, spec),
    yaml: goYaml({
      type: row.type,
      displayType: row.one,
      defaultNamespace: row.namespace,
      aliases: people,
      allAliases: all,
      skipAutomaticAliases: row.onlyThese,
      printColumns: columns.map(([name, jsonPath]) => ({ name, jsonPath })),
      ...(row.sensitive === true ? { sensitivity: 'sensitive' } : {}),
    }),
  };
}

let shared: readonly ResourceContent[] | undefined;

/** What every node says about its own state; written once for all twins of a process, when the first asks. */
export const declarations = (): readonly ResourceContent[] =>
  (shared ??= [...Object.entries(namespaces).map(namespaceContent), ...typeRows.map(definitionContent)]);

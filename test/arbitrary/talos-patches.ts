import { yamlText } from '../../src/spec/yaml-text.ts';
import type { Contract } from '../../src/talos/config/contract.ts';
import type { ConfigDocument, Fields, MachineConfig, Value } from '../../src/talos/config/document.ts';
import { textIn } from '../../src/talos/config/identity.ts';
import { fieldsOf, type DocumentType, type FieldType } from '../../src/talos/fields/types.ts';
import { pick, type Dice } from '../dice.ts';
import { someStruct, someValue } from './talos-values.ts';

export type PatchPair = {
  readonly config: MachineConfig;
  readonly patches: readonly string[];
  readonly rules: readonly string[];
};

/** Places with rules of their own: configuration and patches have something there more often than chance would. */
const focused = [
  'machine.network.interfaces',
  'machine.network.interfaces',
  'machine.network.interfaces',
  'machine.install.diskSelector.size',
  'machine.kubelet.extraArgs',
  'machine.kubelet.extraConfig',
  'machine.ca',
  'machine.sysctls',
  'machine.files',
  'machine.registries.mirrors',
  'machine.pods',
  'cluster.controlPlane.endpoint',
  'cluster.network.podSubnets',
  'cluster.network.serviceSubnets',
  'cluster.apiServer.admissionControl',
  'cluster.apiServer.auditPolicy',
  'cluster.apiServer.extraVolumes',
  'cluster.apiServer.certSANs',
  'cluster.inlineManifests',
];
const focusedKinds = [
  'ExtensionServiceConfig',
  'ImageVerificationConfig',
  'NetworkRuleConfig',
  'VolumeConfig',
  'UserVolumeConfig',
  'LinkConfig',
  'RoutingRuleConfig',
  'OOMConfig',
  'HostnameConfig',
];

/** What a pair may be about. */
export const patchRules: readonly string[] = [
  'merge document',
  'new document',
  'duplicate document',
  'delete document',
  'delete key',
  'delete item',
  'wrong value',
  ...[...new Set(focused)].map((place) => `merge ${place}`),
  ...['add', 'remove', 'replace', 'move', 'copy', 'test'].map((op) => `json ${op}`),
];

/** A configuration and patches for it, made so that every rule of the merge is met often. */
export function somePatchPair(dice: Dice, contract: Contract): PatchPair {
  const isJson = dice(8) === 0;
  const focus = pick(dice, focused);
  const config = isJson ? [someMain(dice, contract, focus)] : someConfig(dice, contract, focus);
  const rules: string[] = [];
  const patches = Array.from({ length: 1 + dice(3) }, (_, index) => {
    if (isJson && index === 0) return someJsonPatch(config, dice, rules);
    return yamlText(someStrategicPatch({ config, contract, focus }, dice, rules));
  });
  return { config, patches, rules };
}

export function someConfig(dice: Dice, contract: Contract, focus = pick(dice, focused)): MachineConfig {
  const documents = Array.from({ length: dice(4) }, () => someDocument(someKind(dice, contract), dice));
  return distinct([...(dice(8) === 0 && documents.length > 0 ? [] : [someMain(dice, contract, focus)]), ...documents]);
}

function someKind(dice: Dice, contract: Contract): DocumentType {
  const { documents } = fieldsOf(contract);
  const kinds = [...documents.values()];
  return (dice(2) === 0 ? documents.get(pick(dice, focusedKinds)) : undefined) ?? pick(dice, kinds);
}

function someMain(dice: Dice, contract: Contract, focus: string): ConfigDocument {
  const { main } = fieldsOf(contract);
  const machine = main.fields.get('machine')?.type;
  const parts = dice(3) === 0 || machine === undefined ? {} : { machine: someValue(machine, dice) };
  const fields: Fields = { ...someStruct(main, dice), ...parts, version: 'v1alpha1' };
  return dice(3) > 0 ? withFocus(main, fields, focus.split('.'), dice) : fields;
}

/** The fields with something, and not nothing, at the place. */
function withFocus(type: FieldType, fields: Fields, [step = '', ...rest]: readonly string[], dice: Dice): Fields {
  const inner = type.kind === 'pointer' ? type.to : type;
  const field = inner.kind === 'struct' ? inner.fields.get(step) : undefined;
  if (field === undefined) return fields;
  const before = fields[step];
  const own = typeof before === 'object' && before !== null && !Array.isArray(before) ? (before as Fields) : {};
  return {
    ...fields,
    [step]: rest.length === 0 ? fullValue(field.type, dice) : withFocus(field.type, own, rest, dice),
  };
}

function fullValue(type: FieldType, dice: Dice): Value {
  for (let attempt = 0; attempt < 5; attempt++) {
    const value = someValue(type, dice);
    if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return value;
  }
  return someValue(type, dice);
}

const documentNames = ['a', 'b'];

function someDocument({ kind, named, type }: DocumentType, dice: Dice, name?: Value): ConfigDocument {
  const { apiVersion: _, kind: __, name: ___, ...fields } = someStruct(type, dice);
  const own: Fields = { apiVersion: 'v1alpha1', kind };
  return { ...own, ...(named ? { name: name ?? pick(dice, documentNames) } : {}), ...fields };
}

const idOf = (document: ConfigDocument): string => `${textIn(document, 'kind')}/${textIn(document, 'name')}`;

const distinct = (documents: readonly ConfigDocument[]): MachineConfig =>
  documents.filter((document, index) => documents.findIndex((other) => idOf(other) === idOf(document)) === index);

type Target = { readonly config: MachineConfig; readonly contract: Contract; readonly focus: string };

function someStrategicPatch(
  { config, contract, focus }: Target,
  dice: Dice,
  rules: string[],
): readonly ConfigDocument[] {
  const kinds = fieldsOf(contract).documents;
  const documents = Array.from({ length: 1 + dice(2) }, (): ConfigDocument => {
    const known = pick(dice, config);
    const kind = kinds.get(textIn(known, 'kind'));
    switch (dice(6)) {
      case 0:
        rules.push('new document');
        return someDocument(someKind(dice, contract), dice);
      case 1:
        return someDeletion(known, dice, rules);
      case 2:
        rules.push(`merge ${focus}`);
        return someMain(dice, contract, focus);
      default:
        rules.push(kind === undefined ? `merge ${focus}` : 'merge document');
        return kind === undefined ? someMain(dice, contract, focus) : someDocument(kind, dice, known['name']);
    }
  });
  if (dice(25) === 0) {
    rules.push('wrong value');
    return documents.map((document) => spoiled(document, dice));
  }
  if (dice(40) === 0) {
    rules.push('duplicate document');
    return [...documents, ...documents];
  }
  return dice(20) === 0 ? documents : distinct(documents);
}

/** With an unknown key, or a value of another type, somewhere inside. */
function spoiled(value: Fields, dice: Dice): Fields {
  const inner = Object.entries(value).filter(
    ([, child]) => typeof child === 'object' && child !== null && !Array.isArray(child),
  );
  if (inner.length > 0 && dice(3) > 0) {
    const [key, child] = pick(dice, inner);
    return { ...value, [key]: spoiled(child as Fields, dice) };
  }
  const keys = Object.keys(value);
  if (keys.length === 0 || dice(2) === 0) return { ...value, unheardOf: 1 };
  return { ...value, [pick(dice, keys)]: pick<Value>(dice, [{ a: { b: 1 } }, [['x']], null, 'x']) };
}

/** Deletes something that is there, most of the time. */
function someDeletion(document: ConfigDocument, dice: Dice, rules: string[]): ConfigDocument {
  const isKind = document['kind'] !== undefined;
  const head = isKind
    ? {
        apiVersion: 'v1alpha1',
        kind: document['kind'] ?? '',
        ...(document['name'] === undefined ? {} : { name: document['name'] }),
      }
    : {};
  if (isKind && dice(3) === 0) {
    rules.push('delete document');
    return { ...head, $patch: 'delete' };
  }
  const { apiVersion: _, kind: __, name: ___, version: ____, ...fields } = document;
  const inside = deletionIn(fields, dice, rules);
  return { ...head, ...(inside as Fields) };
}

function deletionIn(value: Value, dice: Dice, rules: string[]): Value {
  if (Array.isArray(value)) return [itemDeletion(value as readonly Value[], dice, rules)];
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) {
    rules.push('delete key');
    return { nothing: { $patch: 'delete' } };
  }
  const [key, inner] = pick(dice, entries);
  const deeper = typeof inner === 'object' && inner !== null && dice(4) > 0 && Object.keys(inner).length > 0;
  if (deeper) return { [key]: deletionIn(inner, dice, rules) };
  rules.push('delete key');
  return { [key]: { $patch: 'delete' } };
}

function itemDeletion(items: readonly Value[], dice: Dice, rules: string[]): Value {
  rules.push('delete item');
  const item = pick(dice, items);
  const entries = typeof item === 'object' && item !== null && !Array.isArray(item) ? Object.entries(item) : [];
  if (entries.length === 0) return { $patch: 'delete' };
  const [key, value] = pick(dice, entries);
  return dice(2) === 0 ? { [key]: value, $patch: 'delete' } : { $patch: 'delete', [key]: value };
}

function someJsonPatch(config: MachineConfig, dice: Dice, rules: string[]): string {
  const [document = {}] = config;
  const operations = Array.from({ length: 1 + dice(3) }, () => someOperation(document, dice, rules));
  return dice(2) === 0 ? JSON.stringify(operations) : yamlText([operations]);
}

function someOperation(document: Value, dice: Dice, rules: string[]): Fields {
  const op = pick(dice, ['add', 'remove', 'replace', 'move', 'copy', 'test']);
  rules.push(`json ${op}`);
  const path = somePointer(document, dice);
  const value = dice(2) === 0 ? (valueAt(document, path) ?? 'x') : pick<Value>(dice, ['x', ['x'], { k: 'x' }, true, 5]);
  if (op === 'move' || op === 'copy') return { op, from: somePointer(document, dice), path };
  return op === 'remove' ? { op, path } : { op, path, value };
}

function somePointer(document: Value, dice: Dice): string {
  const steps: string[] = [];
  let at: Value = document;
  while (typeof at === 'object' && at !== null && (steps.length === 0 || dice(4) > 0)) {
    const keys = Object.keys(at);
    const key = keys.length === 0 || dice(12) === 0 ? pick(dice, ['-', '0', '-1', 'k', '7']) : pick(dice, keys);
    steps.push(key.replaceAll('~', '~0').replaceAll('/', '~1'));
    at = (at as Readonly<Record<string, Value>>)[key] ?? null;
  }
  return `/${steps.join('/')}`;
}

function valueAt(document: Value, pointer: string): Value | undefined {
  let at: Value | undefined = document;
  for (const step of pointer.slice(1).split('/'))
    at =
      typeof at === 'object' && at !== null
        ? (at as Readonly<Record<string, Value>>)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
        : undefined;
  return at;
}

import * as z from 'zod';
import { nearest } from '../model/nearest.ts';
import { Problem, type Position } from '../model/problem.ts';
import { bare, exampleOf, fieldsOf, noteFor, placesOf, schemaAt, typeOf } from './schema-walk.ts';
import { formatPath, locate, type Path, type Tree } from './tree.ts';

type RawIssue = z.core.$ZodRawIssue;

/** Words people know from other tools. */
export const synonyms: Readonly<Record<string, string>> = {
  count: 'replicas',
  size: 'replicas',
  cores: 'cpu',
  cpus: 'cpu',
  vcpu: 'cpu',
  vcpus: 'cpu',
  ram: 'memory',
  mem: 'memory',
  storage: 'datastore',
  datastore_id: 'datastore',
  ip: 'address',
  ipAddress: 'address',
  node: 'host',
  nodes: 'hosts',
  target_nodes: 'hosts',
  vmId: 'vmid',
  vm_id: 'vmid',
  macAddress: 'mac',
  controlplane: 'controlPlane',
  control_plane: 'controlPlane',
  masters: 'controlPlane',
  ntp: 'timeServers',
  dns: 'nameservers',
  mirror: 'mirrors',
  ha: 'highAvailability',
};

/** Turns what zod found into sentences, each with its place in the file and what would be right. */
export class Complainer {
  readonly #root: z.core.$ZodType;
  readonly #tree: Tree;

  constructor(root: z.core.$ZodType, tree: Tree) {
    this.#root = root;
    this.#tree = tree;
  }

  complain(issue: RawIssue): readonly Problem[] {
    const path = (issue.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)));
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys.map((key) => this.#unknownKey(path, key));
      case 'invalid_type':
        return [this.#wrongType(path, issue.expected, issue.input)];
      case 'invalid_value':
        return [this.#unknownValue(path, issue.values, issue.input)];
      case 'too_small':
        return [this.#outOfBounds(path, issue.origin, issue.minimum, 'at least')];
      case 'too_big':
        return [this.#outOfBounds(path, issue.origin, issue.maximum, 'at most')];
      case 'invalid_key':
        return [this.#wrongName(path)];
      case 'invalid_format':
      case 'invalid_union':
        return [
          this.#at(
            path,
            'wrong-format',
            `Expected ${this.#wants(path)}, found ${this.#found(path)}.`,
            this.#example(path),
          ),
        ];
      default:
        return [this.#custom(path, issue)];
    }
  }

  #unknownKey(path: Path, key: string): Problem {
    const keys = Object.keys(fieldsOf(this.#schema(path)) ?? {});
    const meant = synonyms[key] !== undefined && keys.includes(synonyms[key]) ? synonyms[key] : nearest(key, keys);
    const where = path.length === 0 ? 'this document' : formatPath(path);
    return this.#problem(
      [...path, key],
      this.#keyAt([...path, key]),
      'unknown-key',
      `Unknown key "${key}" in ${where}.`,
      this.#keyRemedy(key, keys, meant),
    );
  }

  #keyRemedy(key: string, keys: readonly string[], meant: string | undefined): string {
    if (meant !== undefined) return `Did you mean "${meant}"?`;
    const [elsewhere] = placesOf(this.#root, key);
    if (elsewhere !== undefined)
      return `"${key}" belongs to ${formatPath(elsewhere.slice(0, -1)) || 'the document itself'}.`;
    return keys.length === 0 ? 'Nothing can be set here.' : `Known here: ${keys.join(', ')}.`;
  }

  #wrongType(path: Path, expected: string, input: unknown): Problem {
    const schema = this.#schema(path);
    const located = locate(this.#tree, path);
    if (located.depth < path.length) return this.#missing(path);
    if (noteFor(schema).secret === true && located.node.kind === 'scalar' && located.node.value !== null)
      return this.#secretInClear(path);
    if (input === null) {
      const remedy = ['object', 'record'].includes(typeOf(schema))
        ? `Write {} to take the defaults, or leave the key out.`
        : this.#example(path);
      return this.#at(path, 'empty', `Nothing is given for ${formatPath(path)}.`, remedy);
    }
    const unquoted = expected === 'string' && (typeof input === 'number' || typeof input === 'boolean');
    const remedy = unquoted ? `Put it in quotes: "${String(input)}".` : this.#example(path);
    const wants = noteFor(schema).wants ?? expectedInWords(expected, typeOf(schema));
    return this.#at(path, 'wrong-type', `Expected ${wants}, found ${this.#found(path)}.`, remedy);
  }

  #missing(path: Path): Problem {
    const parent = path.slice(0, -1);
    const key = String(path.at(-1));
    const schema = this.#schema(path);
    const example = exampleOf(schema);
    const wants = noteFor(schema).wants;
    const secret = noteFor(schema).secret === true;
    const remedy = secret
      ? secretRemedy(key)
      : example === undefined
        ? `Add ${key}${wants ? `: ${wants}` : ''}.`
        : `Add for example "${key}: ${example}".`;
    const where = parent.length === 0 ? 'This document' : formatPath(parent);
    return this.#problem(path, this.#keyAt(parent), 'missing', `${where} needs "${key}".`, remedy);
  }

  #secretInClear(path: Path): Problem {
    const key = String(path.at(-1));
    return this.#at(
      path,
      'secret-in-clear',
      `A secret must not be written here in clear: ${formatPath(path)} takes a reference.`,
      secretRemedy(key),
    );
  }

  #unknownValue(path: Path, values: readonly unknown[], input: unknown): Problem {
    const known = values.map(String);
    if (locate(this.#tree, path).depth < path.length) {
      return this.#problem(
        path,
        this.#keyAt(path.slice(0, -1)),
        'missing',
        `This document needs "${String(path.at(-1))}".`,
        `Add "${String(path.at(-1))}: ${known[0]}".`,
      );
    }
    const meant = typeof input === 'string' ? nearest(input, known) : undefined;
    const remedy = meant === undefined ? `Use ${listed(known)}.` : `Did you mean "${meant}"?`;
    return this.#at(path, 'unknown-value', `${this.#found(path, true)} is not ${listed(known)}.`, remedy);
  }

  #outOfBounds(path: Path, origin: string, bound: number | bigint | Date, side: 'at least' | 'at most'): Problem {
    const limit = Number(bound);
    if (origin === 'string' || origin === 'array') {
      const what = origin === 'string' ? 'characters' : 'entries';
      const message =
        limit === 1 && side === 'at least'
          ? `${formatPath(path)} must not be empty.`
          : `${formatPath(path)} may have ${side} ${limit} ${what}.`;
      return this.#at(path, 'out-of-bounds', message, this.#example(path));
    }
    const bounded = Number.isSafeInteger(limit) && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
    const message = bounded
      ? `${formatPath(path)} must be ${side} ${limit}, found ${this.#found(path)}.`
      : `${this.#found(path)} is too large a number.`;
    return this.#at(
      path,
      'out-of-bounds',
      message,
      bounded ? `Use ${limit} or ${side === 'at least' ? 'more' : 'less'}.` : 'Use a smaller number.',
    );
  }

  #wrongName(path: Path): Problem {
    const name = String(path.at(-1));
    const wants = noteFor(this.#schema(path.slice(0, -1))).wants ?? 'a name';
    return this.#problem(
      path,
      this.#keyAt(path),
      'wrong-name',
      `"${name}" cannot be a name in ${formatPath(path.slice(0, -1))}.`,
      `Use ${wants}.`,
    );
  }

  #custom(path: Path, issue: RawIssue): Problem {
    const { message } = z.util.finalizeIssue(issue, undefined, z.config());
    const located = locate(this.#tree, path);
    const isValue = located.node.kind === 'scalar' && located.depth === path.length;
    if (isValue)
      return this.#at(
        path,
        'wrong-format',
        `Expected ${this.#wants(path)}, found ${this.#found(path)}.`,
        this.#example(path),
      );
    return this.#problem(
      path,
      this.#keyAt(path),
      'rule',
      `${capital(message)} in ${formatPath(path) || 'this document'}.`,
      this.#choice(path),
    );
  }

  #choice(path: Path): string {
    const fields = Object.keys(fieldsOf(this.#schema(path)) ?? {});
    return noteFor(this.#schema(path)).secret === true
      ? secretRemedy(String(path.at(-1)))
      : `ichor explain ${formatPath(path.filter((step) => step !== 'spec'))} shows what there is${fields.length > 0 ? '' : ' to say'}.`;
  }

  #schema(path: Path): z.core.$ZodType {
    return schemaAt(this.#root, path) ?? bare(this.#root);
  }

  #wants(path: Path): string {
    const schema = this.#schema(path);
    return noteFor(schema).wants ?? expectedInWords(typeOf(schema), typeOf(schema));
  }

  #example(path: Path): string {
    const example = exampleOf(this.#schema(path));
    return example === undefined ? `Write ${this.#wants(path)}.` : `For example: ${example}`;
  }

  #found(path: Path, capitalised = false): string {
    const { node } = locate(this.#tree, path);
    const text = node.kind === 'scalar' ? scalarInWords(node.value) : node.kind === 'map' ? 'a mapping' : 'a list';
    return capitalised ? capital(text) : text;
  }

  #at(path: Path, code: string, message: string, remedy: string): Problem {
    return this.#problem(path, locate(this.#tree, path).node.at, code, message, remedy);
  }

  #keyAt(path: Path): Position {
    const located = locate(this.#tree, path);
    return located.keyAt ?? located.node.at;
  }

  #problem(path: Path, at: Position, code: string, message: string, remedy: string): Problem {
    return new Problem(code, message, { at, path: formatPath(path), remedy });
  }
}

export const secretRemedy = (key: string): string => {
  const name = key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  return `Say where it is instead: "${key}: { env: ${name} }", or file, age, keyring, vault.`;
};

const listed = (values: readonly string[]): string =>
  values.length === 1 ? `"${values[0]}"` : `one of ${values.join(', ')}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function scalarInWords(value: string | number | boolean | null): string {
  if (typeof value === 'string') return `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
  if (value === null) return 'nothing';
  return typeof value === 'number' ? `the number ${value}` : String(value);
}

function expectedInWords(expected: string, type: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    int: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    object: 'a mapping',
    record: 'a mapping',
    array: 'a list',
  };
  return words[expected] ?? words[type] ?? expected;
}

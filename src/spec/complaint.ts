import * as z from 'zod';
import { nearest } from '../model/nearest.ts';
import { Problem, type Position } from '../model/problem.ts';
import {
  bare,
  descriptionOf,
  sampleOf,
  fieldPlaces,
  fieldsOf,
  isHidden,
  isRequired,
  isSecret,
  mayBeSecret,
  noteFor,
  schemaAt,
  typeOf,
} from './schema-walk.ts';
import { clip, formatPath, locate, type MapTree, type Path, type ScalarTree, type Tree } from './tree.ts';

export type Issue = z.core.$ZodRawIssue & { readonly path: Path };

/** Words people know from other tools. */
export const synonyms: ReadonlyMap<string, string> = new Map([
  ['count', 'replicas'],
  ['size', 'replicas'],
  ['cores', 'cpu'],
  ['cpus', 'cpu'],
  ['vcpu', 'cpu'],
  ['vcpus', 'cpu'],
  ['ram', 'memory'],
  ['mem', 'memory'],
  ['storage', 'datastore'],
  ['datastore_id', 'datastore'],
  ['ip', 'address'],
  ['ipAddress', 'address'],
  ['node', 'host'],
  ['nodes', 'hosts'],
  ['target_nodes', 'hosts'],
  ['vmId', 'vmid'],
  ['vm_id', 'vmid'],
  ['macAddress', 'mac'],
  ['controlplane', 'controlPlane'],
  ['control_plane', 'controlPlane'],
  ['masters', 'controlPlane'],
  ['ntp', 'timeServers'],
  ['dns', 'nameservers'],
  ['mirror', 'mirrors'],
  ['ha', 'highAvailability'],
]);

/**
 * Turns what zod found into sentences, each with its place in the file and what would be right.
 * No sentence repeats a value that stands where a secret may stand.
 */
export class Complainer {
  readonly #root: z.core.$ZodType;
  readonly #tree: Tree;
  readonly #nameOf: (path: Path) => string;
  #fieldPlaces: ReadonlyMap<string, readonly Path[]> | undefined;

  /** `nameOf` is for documents that are translated: people know their own paths, not ours. */
  constructor(root: z.core.$ZodType, tree: Tree, nameOf: (path: Path) => string = formatPath) {
    this.#root = root;
    this.#tree = tree;
    this.#nameOf = nameOf;
  }

  *complain(issue: Issue): Iterable<Problem> {
    const { path } = issue;
    switch (issue.code) {
      case 'unrecognized_keys':
        for (const key of issue.keys) yield this.#unknownKey(path, key);
        return;
      case 'invalid_type':
        yield this.#wrongType(path, issue.expected, issue.input);
        return;
      case 'invalid_value':
        yield this.#unknownValue(path, issue.values, issue.input);
        return;
      case 'too_small':
        yield this.#outOfBounds(path, issue.origin, Number(issue.minimum), 'at least');
        return;
      case 'too_big':
        yield this.#outOfBounds(path, issue.origin, Number(issue.maximum), 'at most');
        return;
      case 'invalid_key':
        yield this.#wrongName(path);
        return;
      case 'invalid_format':
      case 'invalid_union':
        yield this.#wrongFormat(path);
        return;
      default:
        yield* this.#custom(path, issue);
    }
  }

  #unknownKey(path: Path, key: string): Problem {
    const keys = Object.keys(fieldsOf(this.#schema(path)) ?? {});
    const at = this.#keyAt([...path, key]);
    const where = path.length === 0 ? 'this document' : this.#nameOf(path);
    const synonym = synonyms.get(key);
    const meant = synonym !== undefined && keys.includes(synonym) ? synonym : nearest(key, keys);
    if (isHidden(this.#root, path) || (meant === undefined && this.#isStray([...path, key])))
      return this.#problem(path, at, 'unknown-key', `Unknown key in ${where}.`, didYouMean(meant) ?? knownHere(keys));
    const remedy = didYouMean(meant) ?? (keys.length > 0 ? this.#belongs(key) : undefined) ?? knownHere(keys);
    return this.#problem([...path, key], at, 'unknown-key', `Unknown key "${clip(key)}" in ${where}.`, remedy);
  }

  /** { s3cr3t } is a mapping with one key, and a password with a comma in it ends in another: neither is repeated. */
  #isStray(path: Path): boolean {
    const parent = path.slice(0, -1);
    const key = String(path.at(-1));
    const { node, depth } = locate(this.#tree, parent);
    const bareWord = depth === parent.length && node.kind === 'map' && node.entries.get(key)?.bare === true;
    return bareWord && !Object.hasOwn(fieldsOf(this.#schema(parent)) ?? {}, key) && this.#mayBeSecret(parent);
  }

  #belongs(key: string): string | undefined {
    this.#fieldPlaces ??= fieldPlaces(this.#root);
    const [first, second] = this.#fieldPlaces.get(key) ?? [];
    if (first === undefined) return undefined;
    return `"${key}" belongs ${second === undefined ? '' : 'for example '}to ${formatPath(first) || 'the document itself'}.`;
  }

  #wrongType(path: Path, expected: string, input: unknown): Problem {
    const schema = this.#schema(path);
    const { depth, node } = locate(this.#tree, path);
    if (depth < path.length) return this.#missing(path);
    if (input === null && this.#isStray(path)) {
      const message = `A word stands without a value in ${this.#nameOf(path.slice(0, -1))}.`;
      return this.#problem(path.slice(0, -1), node.at, 'empty', message, 'Put text with commas in it in quotes.');
    }
    if (input === null)
      return this.#at(path, 'empty', `Nothing is given for ${this.#nameOf(path)}.`, this.#whatToGive(path));
    if (isSecret(schema)) return this.#secretInClear(path);
    const remedy = (node.kind === 'scalar' && this.#aboutQuotes(path, node)) || this.#example(path);
    const wants = wantsOf(schema) ?? expectedInWords(expected, typeOf(schema));
    return this.#at(path, 'wrong-type', `Expected ${wants}, found ${this.#found(path)}.`, remedy);
  }

  /** A number that should be text, or the reverse, where quotes are all that is wrong. */
  #aboutQuotes(path: Path, node: ScalarTree): string | undefined {
    if (this.#mayBeSecret(path)) return undefined;
    const accepts = (value: unknown): boolean => z.core.safeParse(this.#schema(path), value).success;
    if (typeof node.value === 'string')
      return node.value.trim() !== '' && accepts(Number(node.value))
        ? `Leave the quotes out: ${node.value}`
        : undefined;
    return accepts(written(node)) ? `Put it in quotes: "${written(node)}"` : undefined;
  }

  #whatToGive(path: Path): string {
    const schema = this.#schema(path);
    if (isSecret(schema)) return sayWhere(String(path.at(-1)));
    if (['object', 'record'].includes(typeOf(schema)) && z.core.safeParse(schema, {}).success)
      return 'Write {} to take the defaults, or leave the key out.';
    return isRequired(schema) ? this.#toAdd(path) : this.#example(path);
  }

  #missing(path: Path): Problem {
    const parent = path.slice(0, -1);
    const where = parent.length === 0 ? 'This document' : this.#nameOf(parent);
    const message = `${where} needs "${clip(String(path.at(-1)))}".`;
    return this.#problem(path, this.#keyAt(parent), 'missing', message, this.#toAdd(path));
  }

  #toAdd(path: Path): string {
    const schema = this.#schema(path);
    const key = clip(String(path.at(-1)));
    if (isSecret(schema)) return sayWhere(key);
    const example = sampleOf(schema);
    if (example !== undefined) return `Add for example "${key}: ${example}".`;
    const described = wantsOf(schema) ?? descriptionOf(schema);
    return described === undefined ? `Add ${key}.` : `Add ${key}: ${described.replace(/^Layer \w+: |\.$/g, '')}.`;
  }

  #secretInClear(path: Path): Problem {
    const message = `A secret must not be written here in clear: ${this.#nameOf(path)} takes a reference.`;
    return this.#at(path, 'secret-in-clear', message, secretRemedy(String(path.at(-1))));
  }

  #unknownValue(path: Path, values: readonly unknown[], input: unknown): Problem {
    const known = values.map(String);
    if (locate(this.#tree, path).depth < path.length) {
      const key = String(path.at(-1));
      const at = this.#keyAt(path.slice(0, -1));
      return this.#problem(path, at, 'missing', `This document needs "${key}".`, `Add "${key}: ${known[0]}".`);
    }
    const meant = typeof input === 'string' ? nearest(input, known) : undefined;
    const remedy = didYouMean(meant) ?? `Use ${listed(known)}.`;
    return this.#at(path, 'unknown-value', `${capital(this.#found(path))} is not ${listed(known)}.`, remedy);
  }

  #outOfBounds(path: Path, origin: string, limit: number, side: 'at least' | 'at most'): Problem {
    const code = 'out-of-bounds';
    const named = this.#nameOf(path);
    if (['string', 'array', 'map'].includes(origin)) {
      const noun = origin === 'string' ? 'character' : origin === 'array' ? 'item' : 'entry';
      const counted = `${limit} ${limit === 1 ? noun : noun === 'entry' ? 'entries' : `${noun}s`}`;
      if (side === 'at most') return this.#at(path, code, `${named} may have at most ${counted}.`, 'Make it shorter.');
      const message = limit === 1 ? `${named} must not be empty.` : `${named} must have at least ${counted}.`;
      return this.#at(path, code, message, this.#example(path));
    }
    const { node } = locate(this.#tree, path);
    const found = this.#mayBeSecret(path) || node.kind !== 'scalar' ? this.#found(path) : clip(written(node));
    if (!Number.isSafeInteger(limit) || Math.abs(limit) === Number.MAX_SAFE_INTEGER)
      return this.#at(path, code, `${found} is too large a number.`, 'Use a smaller number.');
    const message = `${named} must be ${side} ${limit}, found ${found}.`;
    return this.#at(path, code, message, `Use ${limit} or ${side === 'at least' ? 'more' : 'less'}.`);
  }

  #wrongName(path: Path): Problem {
    const parent = path.slice(0, -1);
    const wants = noteFor(this.#schema(parent)).wants ?? 'a name';
    if (this.#isStray(path)) {
      const message = `A word in ${this.#nameOf(parent)} cannot be a name.`;
      return this.#problem(parent, this.#keyAt(path), 'wrong-name', message, 'Put text with commas in it in quotes.');
    }
    const message = `"${clip(String(path.at(-1)))}" cannot be a name in ${this.#nameOf(parent)}.`;
    return this.#problem(path, this.#keyAt(path), 'wrong-name', message, `Use ${wants}.`);
  }

  #wrongFormat(path: Path): Problem {
    const { node } = locate(this.#tree, path);
    if (node.kind === 'scalar' && typeof node.value === 'string' && hideUser(node.value) !== node.value) {
      const message = `A user and password must not be written in a URL: ${this.#nameOf(path)} would be a secret in clear.`;
      return this.#at(path, 'secret-in-clear', message, 'Leave them out; credentials have keys of their own.');
    }
    const message = `Expected ${this.#wants(path)}, found ${this.#found(path)}.`;
    return this.#at(path, 'wrong-format', message, this.#example(path));
  }

  *#custom(path: Path, issue: Issue): Iterable<Problem> {
    const { node, depth } = locate(this.#tree, path);
    const { choice } = noteFor(this.#schema(path));
    if (node.kind === 'scalar' && depth === path.length) yield this.#wrongFormat(path);
    else if (choice !== undefined && node.kind === 'map') yield* this.#notOne(path, node, choice.keys);
    else {
      const { message } = z.util.finalizeIssue(issue, undefined, z.config());
      yield this.#problem(path, this.#keyAt(path), 'rule', `${capital(message)}.`, this.#example(path));
    }
  }

  /** Of several keys one must be given, and there are none or too many. */
  *#notOne(path: Path, node: MapTree, choices: readonly string[]): Iterable<Problem> {
    const given = [...node.entries.keys()].filter((key) => choices.includes(key));
    const where = this.#nameOf(path) || 'This document';
    const last = given.at(-1);
    if (given.length > 1 && last !== undefined) {
      const message = `${where} has ${joined(given)}, and only one of them can be.`;
      yield this.#problem(path, this.#keyAt([...path, last]), 'one-of', message, `Keep one of ${joined(given)}.`);
      return;
    }
    // The one that is missing is most likely there, with a slip in its name, and that has been said.
    const fields = fieldsOf(this.#schema(path)) ?? {};
    if ([...node.entries.keys()].some((key) => !Object.hasOwn(fields, key))) return;
    const remedy = isSecret(this.#schema(path))
      ? sayWhere(String(path.at(-1)))
      : `Add one of them; what each takes is shown by:\n    ichor explain ${formatPath(path.filter((step) => step !== 'spec'))}`;
    const message = `${where} needs one of ${choices.join(', ')}.`;
    yield this.#problem(path, this.#keyAt(path), 'one-of', message, remedy);
  }

  #schema(path: Path): z.core.$ZodType {
    return schemaAt(this.#root, path) ?? bare(this.#root);
  }

  #wants(path: Path): string {
    const schema = this.#schema(path);
    return wantsOf(schema) ?? expectedInWords(typeOf(schema), typeOf(schema));
  }

  #example(path: Path): string {
    const example = sampleOf(this.#schema(path));
    return example === undefined ? `Write ${this.#wants(path)}.` : `For example: ${example}`;
  }

  #mayBeSecret(path: Path): boolean {
    return mayBeSecret(this.#root, path);
  }

  #found(path: Path): string {
    const { node } = locate(this.#tree, path);
    if (node.kind !== 'scalar') return node.kind === 'map' ? 'a mapping' : 'a list';
    if (node.value === null) return 'nothing';
    if (this.#mayBeSecret(path)) return kindOf(node.value);
    if (typeof node.value === 'string') return `"${clip(hideUser(node.value))}"`;
    return typeof node.value === 'number' ? `the number ${clip(written(node))}` : written(node);
  }

  #at(path: Path, code: string, message: string, remedy: string): Problem {
    return this.#problem(path, locate(this.#tree, path).node.at, code, message, remedy);
  }

  #keyAt(path: Path): Position {
    const located = locate(this.#tree, path);
    return located.keyAt ?? located.node.at;
  }

  #problem(path: Path, at: Position, code: string, message: string, remedy: string): Problem {
    return new Problem(code, message, { at, path: this.#nameOf(path), remedy });
  }
}

/** How a secret can be referred to. */
const reference = (key: string): string => {
  const name = clip(key)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  return `"${clip(key)}: { env: ${name} }", or file, age, keyring, vault.`;
};

const sayWhere = (key: string): string => `Say where it is: ${reference(key)}`;

export const secretRemedy = (key: string): string => `Say where it is instead: ${reference(key)}`;

/** A user and password in a URL are nobody else's business. */
const hideUser = (text: string): string => text.replace(/:\/\/[^\s/@]*@/g, '://…@');

const didYouMean = (meant: string | undefined): string | undefined => meant && `Did you mean "${meant}"?`;

const knownHere = (keys: readonly string[]): string =>
  keys.length === 0 ? 'Nothing can be set here.' : `Known here: ${keys.join(', ')}.`;

const listed = (values: readonly string[]): string =>
  values.length === 1 ? `"${values[0]}"` : `one of ${values.join(', ')}`;

const joined = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const kindOf = (value: string | number | boolean): string =>
  typeof value === 'string' ? 'text' : typeof value === 'number' ? 'a number' : 'true or false';

const written = (node: ScalarTree): string => node.written ?? String(node.value);

/** What would be right, where the schema says so. Of a mapping by name it says what the names are like. */
const wantsOf = (schema: z.core.$ZodType): string | undefined =>
  typeOf(schema) === 'record' ? 'a mapping' : (noteFor(schema).wants ?? wholeNumber(schema));

function wholeNumber(schema: z.core.$ZodType): string | undefined {
  const { format, checks = [] } = bare(schema)._zod.def as z.core.$ZodTypeDef & { readonly format?: string };
  if (format !== 'safeint') return undefined;
  const bounds = checks.map((check) => check._zod.def as { readonly check: string; readonly value?: number });
  const least = bounds.find(({ check }) => check === 'greater_than')?.value;
  const most = bounds.find(({ check }) => check === 'less_than')?.value;
  return least === undefined || most === undefined ? 'a whole number' : `a whole number from ${least} to ${most}`;
}

function expectedInWords(expected: string, type: string): string {
  const words: ReadonlyMap<string, string> = new Map([
    ['string', 'text'],
    ['int', 'a whole number'],
    ['number', 'a number'],
    ['boolean', 'true or false'],
    ['object', 'a mapping'],
    ['record', 'a mapping'],
    ['array', 'a list'],
  ]);
  return words.get(expected) ?? words.get(type) ?? expected;
}

import * as z from 'zod';
import { kindNames, kinds, type Kind } from './kinds.ts';
import { displayedPattern, type Place } from './place.ts';
import {
  bare,
  defaultOf,
  descriptionOf,
  examplesOf,
  fieldsOf,
  isRequired,
  itemOf,
  noteFor,
  schemaAt,
  typeOf,
  valueOf,
  type Schema,
} from './schema-walk.ts';

/** What can be said about one place in the file. */
export type Explanation = {
  readonly kind: Kind;
  readonly path: string;
  readonly description: string | undefined;
  /** In words, as the end of "it is …". */
  readonly type: string;
  readonly required: boolean;
  readonly default: Default | undefined;
  readonly examples: readonly string[];
  /** Rules between fields that it takes part in. */
  readonly rules: readonly string[];
  /** What stands below: its own fields, or those of each thing in it. */
  readonly fields: readonly Field[];
  readonly isCollection: boolean;
};

/** A constant, or how the value is found. */
type Default = { readonly value: unknown } | { readonly derived: string };

type Field = Pick<Explanation, 'description' | 'type' | 'required' | 'default'> & { readonly name: string };

export function explainPlace(place: Place): Explanation {
  const { schema, kind, pattern } = place;
  return {
    kind,
    path: displayedPattern(pattern),
    description: described(place),
    type: typeInWords(schema),
    required: !isEntry(pattern) && isRequired(schema),
    default: defaultFor(schema),
    examples: examplesOf(schema),
    rules: rulesFor(place),
    fields: fieldsBelow(schema),
    isCollection: fieldsOf(schema) === undefined && (valueOf(schema) ?? itemOf(schema)) !== undefined,
  };
}

const isEntry = (pattern: readonly string[]): boolean => pattern.at(-1) === '<name>' || pattern.at(-1) === '[]';

/** An entry that says nothing of its own is described with the map or list that it is in. */
function described({ kind, schema, pattern }: Pick<Place, 'kind' | 'schema' | 'pattern'>): string | undefined {
  const own = descriptionOf(schema);
  const around = pattern.slice(0, -1);
  const outer = isEntry(pattern) ? schemaAt(kinds[kind].document, around) : undefined;
  return own ?? (outer && described({ kind, schema: outer, pattern: around }));
}

/** Every kind of document, with what it is. */
export const kindsInWords = (): readonly { readonly kind: Kind; readonly description: string }[] =>
  kindNames.map((kind) => {
    const spec = fieldsOf(kinds[kind].document)?.['spec'];
    return { kind, description: (spec && descriptionOf(spec)) ?? '' };
  });

function defaultFor(schema: Schema): Default | undefined {
  const { derived } = noteFor(schema);
  if (derived !== undefined) return { derived };
  const value = defaultOf(schema);
  return value === undefined ? undefined : { value };
}

function fieldsBelow(schema: Schema): readonly Field[] {
  const inside = fieldsOf(schema) ? schema : (valueOf(schema) ?? itemOf(schema));
  if (inside === undefined || noteFor(schema).free === true) return [];
  return Object.entries(fieldsOf(inside) ?? {}).map(([name, field]) => ({
    name,
    description: descriptionOf(field),
    type: typeInWords(field),
    required: isRequired(field),
    default: defaultFor(field),
  }));
}

function typeInWords(schema: Schema): string {
  const { wants, secret, shortFor } = noteFor(schema);
  const inner = bare(schema);
  switch (typeOf(schema)) {
    case 'object':
      if (secret === true) return 'a reference to a secret';
      return shortFor === undefined ? 'a mapping' : `a mapping, or only what stands under ${shortFor}`;
    case 'record':
      return noteFor(schema).free === true
        ? 'any mapping'
        : `entries by name, each ${typeInWords(valueOf(schema) ?? inner)}`;
    case 'array':
      return `a list of ${plural(itemOf(schema) ?? inner)}`;
    case 'enum':
      return `one of ${Object.values((inner as z.ZodEnum).def.entries).join(', ')}`;
    case 'literal':
      return [...(inner as z.ZodLiteral).values].map((value) => JSON.stringify(value)).join(' or ');
    case 'boolean':
      return 'true or false';
    case 'number':
      return numberInWords(inner);
    case 'string':
      return wants ?? 'text';
    default:
      return wants ?? 'anything';
  }
}

function plural(item: Schema): string {
  switch (typeOf(item)) {
    case 'object':
      return 'mappings';
    case 'string':
      return `texts, each ${typeInWords(item)}`.replace(', each text', '');
    default:
      return `values, each ${typeInWords(item)}`;
  }
}

function numberInWords(schema: Schema): string {
  const { type, minimum, maximum } = z.toJSONSchema(schema) as { type: string; minimum?: number; maximum?: number };
  const known = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const noun = type === 'integer' ? 'a whole number' : 'a number';
  if (known(minimum) && known(maximum)) return `${noun} from ${minimum} to ${maximum}`;
  if (known(minimum)) return `${noun}, at least ${minimum}`;
  return known(maximum) ? `${noun}, at most ${maximum}` : noun;
}

/** The rules that stand at the place itself, and those further up that speak about it or about something in it. */
function rulesFor({ kind, pattern, schema }: Place): readonly string[] {
  const target = pattern.map(anyName);
  const ofItems = (noteFor(schema).cel ?? []).map(({ message }) => message);
  const above = pattern.flatMap((_, depth) => {
    const rule = schemaAt(kinds[kind].document, pattern.slice(0, depth));
    return (rule === undefined ? [] : (noteFor(rule).cel ?? []))
      .filter((each) =>
        mentions(each.rule).some((mentioned) => concerns([...target.slice(0, depth), ...mentioned], target)),
      )
      .map(({ message }) => message);
  });
  return [...new Set([...above, ...ofItems])];
}

const anyName = (step: string): string => (step === '<name>' || step === '[]' ? '*' : step);

/** Itself, something in it, or the list or map that it is in. */
function concerns(mentioned: readonly string[], target: readonly string[]): boolean {
  const shared = Math.min(mentioned.length, target.length);
  const agrees = mentioned.slice(0, shared).every((step, index) => step === target[index]);
  return agrees && (mentioned.length >= target.length || target.slice(shared).every((step) => step === '*'));
}

/** The fields that a rule in CEL reads, from where it stands. */
function mentions(rule: string): readonly (readonly string[])[] {
  return [...rule.matchAll(/\bself((?:\.[A-Za-z_]\w*|\[\w+\])+)(\()?/g)].map(([, path = '', call]) => {
    const steps = [...path.matchAll(/\.(\w+)|\[/g)].map(([, name]) => name?.replaceAll('__dash__', '-') ?? '*');
    return call === undefined ? steps : steps.slice(0, -1);
  });
}

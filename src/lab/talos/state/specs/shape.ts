import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { YamlValue } from '../go-yaml.ts';
import type { Kind } from './kind.ts';

type Field<T> = {
  readonly number: number;
  readonly kind: Kind<T>;
  /** Key in YAML, where it is not the field’s own name. */
  readonly yaml?: string;
  /** Left out of YAML when it is empty, or always. */
  readonly hidden?: 'empty' | 'always';
};

// Fields of any kind; a shape reads each with its own.
// oxlint-disable-next-line typescript/no-explicit-any
export type Fields = Readonly<Record<string, Field<any>>>;

/** What a twin says: fields that are left out are zero. */
export type Said<F extends Fields> = {
  readonly [Name in keyof F]?: (F[Name] extends Field<infer T> ? T : never) | undefined;
};

/** A spec in both encodings, its fields in the order in which Talos writes them. */
export type Shape<T> = {
  readonly fields: Fields;
  readonly proto: (spec: T) => Uint8Array;
  readonly yaml: (spec: T) => YamlValue;
};

export const at = <T>(number: number, kind: Kind<T>, yaml?: string): Field<T> => ({
  number,
  kind,
  ...(yaml === undefined ? {} : { yaml }),
});

export const sparse = <T>(number: number, kind: Kind<T>, yaml?: string): Field<T> => ({
  ...at(number, kind, yaml),
  hidden: 'empty',
});

/** Go’s YAML takes a lone address for empty whatever it is: such fields are in protobuf alone. */
export const unseen = <T>(number: number, kind: Kind<T>): Field<T> => ({ ...at(number, kind), hidden: 'always' });

export function shape<F extends Fields>(fields: F): Shape<Said<F>> {
  const rows = Object.entries(fields);
  const valueOf = (spec: Said<F>, name: string, { kind }: Field<unknown>): unknown =>
    (spec as Readonly<Record<string, unknown>>)[name] ?? kind.zero;
  return {
    fields,
    proto(spec) {
      const out = new BinaryWriter();
      for (const [name, field] of rows as [string, Field<unknown>][]) {
        const value = valueOf(spec, name, field);
        if (!field.kind.isZero(value)) field.kind.write(out, field.number, value);
      }
      return out.finish();
    },
    yaml(spec) {
      const shown = (rows as [string, Field<unknown>][]).flatMap(([name, field]) => {
        const value = valueOf(spec, name, field);
        if (field.hidden === 'always' || (field.hidden === 'empty' && field.kind.isZero(value))) return [];
        return [[field.yaml ?? name, field.kind.yaml(value)] as const];
      });
      return Object.fromEntries(shown);
    },
  };
}

/** A spec inside of another. */
export const nested = <T extends object>(of: Shape<T>): Kind<T> => ({
  // Every field of a shape may be left out.
  zero: {} as T,
  fields: of.fields,
  isZero: (value) => of.proto(value).length === 0,
  write: (out, number, value) => void out.tag(number, WireType.LengthDelimited).bytes(of.proto(value)),
  yaml: (value) => of.yaml(value),
});

/** One that may be absent, and is told from an empty one. */
export const maybe = <T extends object>(of: Shape<T>): Kind<T | undefined> => ({
  zero: undefined,
  fields: of.fields,
  isZero: (value) => value === undefined,
  write: (out, number, value) => value === undefined || nested(of).write(out, number, value),
  yaml: (value) => (value === undefined ? null : of.yaml(value)),
});

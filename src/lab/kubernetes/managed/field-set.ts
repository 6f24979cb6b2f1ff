import { type Element, compareElements, fieldName, isKnown, normal, printed } from './element.ts';
import type { Schema } from '../schema/schema.ts';
import { fieldOf, itemsOf } from './shape.ts';

/** Which fields of an object: those that are owned, and below which there are more. */
export class FieldSet {
  readonly members = new Set<Element>();
  readonly children = new Map<Element, FieldSet>();

  static of(...paths: readonly (readonly Element[])[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** The whole object belongs to nobody. */
  insert(path: readonly Element[]): void {
    const [first, ...rest] = path;
    if (first === undefined) return;
    if (rest.length === 0) this.members.add(first);
    else this.below(first).insert(rest);
  }

  private below(element: Element): FieldSet {
    const child = this.children.get(element) ?? new FieldSet();
    this.children.set(element, child);
    return child;
  }

  has(path: readonly Element[]): boolean {
    const [first, ...rest] = path;
    if (first === undefined) return false;
    return rest.length === 0 ? this.members.has(first) : (this.children.get(first)?.has(rest) ?? false);
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && [...this.children.values()].every((child) => child.isEmpty);
  }

  union(other: FieldSet): FieldSet {
    const all = new FieldSet();
    for (const member of [...this.members, ...other.members]) all.members.add(member);
    for (const [element, child] of this.children) {
      const twin = other.children.get(element);
      all.children.set(element, twin === undefined ? child : child.union(twin));
    }
    for (const [element, child] of other.children) {
      if (!this.children.has(element)) all.children.set(element, child);
    }
    return all;
  }

  intersection(other: FieldSet): FieldSet {
    const both = new FieldSet();
    for (const member of this.members) if (other.members.has(member)) both.members.add(member);
    for (const [element, child] of this.children) {
      const twin = other.children.get(element);
      if (twin !== undefined) both.put(element, child.intersection(twin));
    }
    return both;
  }

  /** Without the other’s members; what lies below a member of the other stays. */
  difference(other: FieldSet): FieldSet {
    const rest = new FieldSet();
    for (const member of this.members) if (!other.members.has(member)) rest.members.add(member);
    for (const [element, child] of this.children) {
      const twin = other.children.get(element);
      rest.put(element, twin === undefined ? child : child.difference(twin));
    }
    return rest;
  }

  /** Without the other’s members and everything below them. */
  without(other: FieldSet): FieldSet {
    const rest = new FieldSet();
    for (const member of this.members) if (!other.members.has(member)) rest.members.add(member);
    for (const [element, child] of this.children) {
      if (other.members.has(element)) continue;
      const twin = other.children.get(element);
      rest.put(element, twin === undefined ? child : child.without(twin));
    }
    return rest;
  }

  private put(element: Element, child: FieldSet): void {
    if (!child.isEmpty) this.children.set(element, child);
  }

  /** Fields that a type names are members too as soon as something below them is. */
  withNamedFields(schema: Schema | undefined): FieldSet {
    const all = new FieldSet();
    for (const member of this.members) all.members.add(member);
    for (const [element, child] of this.children) {
      const name = fieldName(element);
      if (name !== undefined && schema?.type === 'object' && schema.property?.(name) !== undefined) {
        all.members.add(element);
      }
      const below = name === undefined ? itemsOf(schema) : fieldOf(schema, name);
      all.children.set(element, child.withNamedFields(below));
    }
    return all;
  }

  /** Every member’s path, parents before what is below them. */
  paths(prefix: readonly Element[] = []): readonly (readonly Element[])[] {
    const own = [...this.members].sort(compareElements).map((member) => [...prefix, member]);
    const below = [...this.children]
      .sort(([a], [b]) => compareElements(a, b))
      .flatMap(([element, child]) => child.paths([...prefix, element]));
    return [...own, ...below];
  }
}

export const printedPath = (path: readonly Element[]): string => path.map(printed).join('');

/** As `fieldsV1` writes it; `.` says that a field with others below it is owned itself. */
export function encodeFields(set: FieldSet): Record<string, unknown> {
  const elements = [...new Set([...set.members, ...set.children.keys()])].sort(compareElements);
  return Object.fromEntries(
    elements.map((element) => {
      const child = set.children.get(element);
      if (child === undefined) return [element, {}];
      const below = encodeFields(child);
      return [element, set.members.has(element) && Object.keys(below).length > 0 ? { '.': {}, ...below } : below];
    }),
  );
}

/** Throws a plain error when a key is none. */
export function decodeFields(fields: Readonly<Record<string, unknown>>): FieldSet {
  const set = new FieldSet();
  for (const [key, below] of Object.entries(fields)) {
    if (key === '.') continue;
    if (key.charAt(1) !== ':') throw new Error(`missing colon: ${key}`);
    if (!isKnown(key)) continue;
    const element = normal(key);
    const inside = (below ?? {}) as Record<string, unknown>;
    const child = decodeFields(inside);
    if (child.isEmpty || '.' in inside) set.members.add(element);
    if (!child.isEmpty) set.children.set(element, child);
  }
  return set;
}

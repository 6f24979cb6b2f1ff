import type { ASTNode } from '@marcbachmann/cel-js';
import { isRaw } from '../structural.ts';
import type { RawSchema } from '../structural.ts';
import { escapedName } from './input.ts';

/** The first field that an expression speaks of and that its schema does not have, and where. */
export type UndefinedField = { readonly name: string; readonly at: number };

type Scope = ReadonlyMap<string, RawSchema | undefined>;

/** Looks as far as schemas can be followed: fields, items, values, and the variables of macros that go over lists. */
export function undefinedField(
  expression: ASTNode,
  self: RawSchema,
  oldSelf: RawSchema | undefined,
): UndefinedField | undefined {
  let found: UndefinedField | undefined;

  const select = (
    node: ASTNode,
    [of, name]: readonly [ASTNode, string],
    scope: Scope,
    at = node.input.lastIndexOf('.', node.pos),
  ): RawSchema | undefined => {
    const owner = typeOf(of, scope);
    if (owner === undefined || owner['type'] !== 'object' || isIntOrString(owner)) return undefined;
    const { additionalProperties } = owner;
    if (isRaw(additionalProperties)) return additionalProperties;
    const field = fieldsOf(owner).find(([each]) => each === name)?.[1];
    if (field === undefined) found ??= { name, at };
    return node.op === '.' ? field : undefined;
  };

  const typeOf = (node: ASTNode, scope: Scope): RawSchema | undefined => {
    switch (node.op) {
      case 'id':
        return scope.get(node.args);
      case '.':
      case '.?':
        return select(node, node.args, scope);
      case '[]': {
        const owner = typeOf(node.args[0], scope);
        typeOf(node.args[1], scope);
        const parts = owner?.['type'] === 'array' ? owner['items'] : owner?.['additionalProperties'];
        return isRaw(parts) ? parts : undefined;
      }
      case 'rcall': {
        const [, of, given] = node.args;
        const owner = typeOf(of, scope);
        const inside = within(scope, given, owner?.['type'] === 'array' ? owner['items'] : undefined);
        for (const each of given) typeOf(each, inside);
        return undefined;
      }
      case 'call': {
        const [name, given] = node.args;
        const [asked] = given;
        // Whether a field is there is asked of its owner, and what is wrong with that is the question’s fault.
        if (name === 'has' && asked?.op === '.') select(asked, asked.args, scope, node.input.indexOf('(', node.pos));
        else for (const each of given) typeOf(each, scope);
        return undefined;
      }
      case 'value':
        return undefined;
      default:
        for (const each of [node.args].flat(2)) typeOf(each, scope);
        return undefined;
    }
  };

  typeOf(
    expression,
    new Map([
      ['self', self],
      ['oldSelf', oldSelf],
    ]),
  );
  return found;
}

/** Names that a macro gives to what it goes over: the first alone is the item, of two nobody knows which is which. */
function within(scope: Scope, given: readonly ASTNode[], items: unknown): Scope {
  const [first, second] = given;
  if (first?.op !== 'id' || given.length < 2) return scope;
  const isPair = second?.op === 'id' && given.length > 2;
  const inner = new Map(scope).set(first.args, isRaw(items) && !isPair ? items : undefined);
  return isPair ? inner.set(second.args, undefined) : inner;
}

const isIntOrString = (schema: RawSchema): boolean => schema['x-kubernetes-int-or-string'] === true;

const fieldsOf = ({ properties }: RawSchema): readonly (readonly [string | undefined, RawSchema])[] =>
  Object.entries(isRaw(properties) ? properties : {}).flatMap(([name, field]) =>
    isRaw(field) && isShown(field) ? [[escapedName(name), field] as const] : [],
  );

/** Rules do not see what has no type, nor lists and maps of such. */
function isShown(schema: RawSchema): boolean {
  const { type, items, additionalProperties } = schema;
  if (isIntOrString(schema)) return true;
  if (type === 'array') return isRaw(items) && isShown(items);
  if (type === 'object' && isRaw(additionalProperties)) return isShown(additionalProperties);
  return typeof type === 'string' && type !== '';
}

const text = { type: 'string' };

/** A whole object has these fields, whatever its schema says. */
export const resourceSchema = (schema: RawSchema): RawSchema => ({
  ...schema,
  properties: {
    ...(isRaw(schema['properties']) ? schema['properties'] : {}),
    apiVersion: text,
    kind: text,
    metadata: { type: 'object', properties: { name: text, generateName: text } },
  },
});

import { Document, isCollection, isMap, isScalar, isSeq, type Node } from 'yaml';
import { fieldsOf, schemaAt } from '../schema-walk.ts';
import { apiVersion, platform } from '../schema/platform.ts';
import type { Path } from '../tree.ts';
import type { Sketch } from './sketch.ts';

/** The file as a person would write it: keys in the order of the layers, short things on one line, comments where they help. */
export function platformFile(sketch: Sketch, header: string): string {
  const document = new Document(
    { apiVersion, kind: 'Platform', metadata: { name: sketch.name }, spec: inOrder(sketch.spec, ['spec']) },
    { aliasDuplicateObjects: false },
  );
  document.commentBefore = commented(header);
  shape(document.contents, [], sketch);
  return document.toString({ lineWidth: 0 });
}

/** Keys in the order in which the schema describes them; whatever is free keeps its own. */
function inOrder(value: unknown, path: Path): unknown {
  if (Array.isArray(value)) return value.map((item, index) => inOrder(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return value;
  const schema = schemaAt(platform, path);
  const known = Object.keys((schema && fieldsOf(schema)) ?? {});
  const place = (key: string): number => (known.includes(key) ? known.indexOf(key) : known.length);
  return new Map(
    Object.entries(value)
      .toSorted(([one], [other]) => place(one) - place(other))
      .map(([key, inner]) => [key, inOrder(inner, [...path, key])]),
  );
}

const commented = (text: string): string => text.replace(/^(?=.)/gm, ' ');

function shape(node: unknown, path: Path, sketch: Sketch): void {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const inner = [...path, isScalar(key) ? String(key.value) : ''];
      const comment = inner[0] === 'spec' ? sketch.commentAt(inner.slice(1)) : undefined;
      if (comment !== undefined && isScalar(key)) key.commentBefore = commented(comment);
      shape(value, inner, sketch);
    }
  } else if (isSeq(node)) node.items.forEach((item, index) => shape(item, [...path, index], sketch));
  if (isCollection(node) && mayBeShort(path) && isShort(node)) node.flow = true;
}

/** Sections stay open, and so does whatever goes to Talos as it is. */
const mayBeShort = (path: Path): boolean => path[0] === 'metadata' || (path.length > 2 && !path.includes('patches'));

const widest = 72;
/** A mapping of mappings is easier to read when it is open. */
const widestNested = 40;

const isShort = (node: Node): boolean => widthOf(node) <= (isFlat(node) ? widest : widestNested) && !hasComment(node);

const childrenOf = (node: unknown): readonly unknown[] =>
  isMap(node) ? node.items.flatMap(({ key, value }) => [key, value]) : isSeq(node) ? node.items : [];

const isFlat = (node: Node): boolean => !childrenOf(node).some(isCollection);

const hasComment = (node: unknown): boolean =>
  (isScalar(node) && node.commentBefore != null) || childrenOf(node).some(hasComment);

function widthOf(node: unknown): number {
  if (isScalar(node)) {
    const text = String(node.value);
    return text.includes('\n') ? widest + 1 : text.length;
  }
  return childrenOf(node).reduce<number>((width, child) => width + widthOf(child) + 2, 4);
}

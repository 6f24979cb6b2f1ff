import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { badRequest, quote } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';

type Term = { readonly field: string; readonly equals: boolean; readonly value: string };

/** `metadata.name=web,status.phase!=Running`; refused in the API server’s words. */
export function fieldSelector(definition: ResourceDefinition, text: string): (object: KubeObject) => boolean {
  const terms = termsOf(text);
  const values = terms.map(({ field }) => valueOf(definition, field));
  return (object) => terms.every(({ equals, value }, index) => (values[index]?.(object) === value) === equals);
}

function valueOf(definition: ResourceDefinition, field: string): (object: KubeObject) => string {
  const own = definition.selectable[field];
  if (own !== undefined) return own;
  if (field === 'metadata.name') return ({ metadata }) => metadata.name ?? '';
  if (field === 'metadata.namespace' && (definition.namespaced || !definition.custom))
    return ({ metadata }) => metadata.namespace ?? '';
  const isOwn = definition.custom || Object.keys(definition.selectable).length > 0;
  throw badRequest(
    isOwn
      ? `field label not supported: ${field}`
      : `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}

function termsOf(text: string): readonly Term[] {
  return splitTerms(text)
    .sort()
    .filter((each) => each !== '')
    .map((term) => {
      const found = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
      if (found === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
      const [, field = '', operator, value = ''] = found;
      return { field, equals: operator !== '!=', value: unescaped(value) };
    });
}

function splitTerms(text: string): string[] {
  const terms = [''];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === ',') terms.push('');
    else if (sign === '\\') terms[terms.length - 1] += text.slice(at, ++at + 1);
    else terms[terms.length - 1] += sign;
  }
  return terms;
}

function unescaped(value: string): string {
  let text = '';
  for (let at = 0; at < value.length; at++) {
    const sign = value[at] as string;
    if (sign === '\\') {
      const next = value[++at] ?? '';
      if (!['\\', ',', '='].includes(next))
        throw badRequest(`invalid field selector: invalid escape sequence: \\${next}`);
      text += next;
    } else if (sign === ',' || sign === '=') {
      throw badRequest(`invalid field selector: unescaped character in value: ${sign.codePointAt(0)}`);
    } else {
      text += sign;
    }
  }
  return text;
}

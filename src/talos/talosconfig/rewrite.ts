import { toBase64 } from '../pki/pem.ts';
import { editable, textOf } from './merge.ts';
import type { TalosContext } from './talosconfig.ts';

export type ContextChanges = Partial<Pick<TalosContext, 'endpoints' | 'nodes' | 'ca' | 'crt' | 'key'>>;

/** One context with other values; whatever else the file has stays, also what nobody here knows. */
export function rewriteContext(
  { text, file }: { readonly text: string; readonly file: string },
  name: string,
  changes: ContextChanges,
): string {
  const document = editable(text, file);
  const put = (part: string, value: unknown): void =>
    document.setIn(['contexts', name, part], document.createNode(value));
  if (changes.endpoints !== undefined) {
    put('endpoints', changes.endpoints);
    document.deleteIn(['contexts', name, 'target']);
  }
  if (changes.nodes !== undefined) put('nodes', changes.nodes);
  for (const part of ['ca', 'crt', 'key'] as const) {
    const pem = changes[part];
    if (pem !== undefined) put(part, toBase64(pem));
  }
  return textOf(document);
}

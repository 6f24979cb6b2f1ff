import type { Path } from '../../spec/tree.ts';
import type { ConfigDocument, Fields } from './document.ts';

/** What makes a document itself: there is one of each in a configuration. */
export type DocumentId = { readonly apiVersion: string; readonly kind: string; readonly name: string };

/** The text of a field; empty when there is none. */
export const textIn = (fields: Fields, key: string): string => {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
};

/** `version: v1alpha1` has no kind, and counts as one of its own. */
export const documentId = (document: ConfigDocument, named: boolean): DocumentId => {
  const kind = textIn(document, 'kind');
  if (kind === '') return { apiVersion: '', kind: 'v1alpha1', name: '' };
  return { apiVersion: textIn(document, 'apiVersion'), kind, name: named ? textIn(document, 'name') : '' };
};

export const sameDocument = (one: DocumentId, other: DocumentId): boolean =>
  one.apiVersion === other.apiVersion && one.kind === other.kind && one.name === other.name;

export const isMain = (document: ConfigDocument): boolean => textIn(document, 'kind') === '';

/** How the fields of a document are addressed: `machine.type`, `HostnameConfig.auto`, `LinkConfig.eth0.mtu`. */
export const documentPath = (document: ConfigDocument): Path => {
  if (isMain(document)) return [];
  const name = textIn(document, 'name');
  return name === '' ? [textIn(document, 'kind')] : [textIn(document, 'kind'), name];
};

/** In words: `HostnameConfig`, `LinkConfig "eth0"`. */
export const documentWords = ({ kind, name }: DocumentId): string => {
  if (kind === 'v1alpha1') return 'the v1alpha1 document';
  return name === '' ? kind : `${kind} "${name}"`;
};

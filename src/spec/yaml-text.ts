import { stringify } from 'yaml';

/** YAML that every reader takes the same way, also those of YAML 1.1: text that looks like something else is quoted. */
export const yamlText = (documents: readonly unknown[]): string =>
  documents
    .map((document) =>
      stringify(document, { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false, indentSeq: false }),
    )
    .join('---\n');

import type { CustomResourceDefinition } from './spec/crd.ts';
import type { Input } from './spec/documents.ts';
import type { JsonSchema } from './spec/json-schema.ts';
import { read, type Reading } from './spec/read.ts';

export type { Input, Reading };

/** Is the file right? Reads it, and says everything that is not. */
export const check = (input: Input): Reading => read(input);

/** What may stand in a file, for editors: of one kind, or of every document that ichor reads. */
export const editorSchema = async (kind?: string): Promise<JsonSchema> =>
  (await import('./spec/json-schema.ts')).editorSchema(kind);

/** What makes an API server know the same resources: of one kind, or all. */
export const resourceDefinitions = async (kind?: string): Promise<readonly CustomResourceDefinition[]> =>
  (await import('./spec/crd.ts')).customResourceDefinitions(kind);

export { yamlText } from './spec/yaml-text.ts';

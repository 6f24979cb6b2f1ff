import type { Input } from './spec/documents.ts';
import { importPlatform, type Imported, type ImportOptions } from './spec/import/import.ts';
import { read, type Reading } from './spec/read.ts';
import type { Source } from './spec/source.ts';

export type { Imported, Input, Reading };

/** Is the file right? Reads it, and says everything that is not. */
export const check = (input: Input): Reading => read(input);

/** What would another tool's file be as one of ours? Says what could not be carried over. */
export const importFrom = (sources: readonly Source[], options: ImportOptions): Imported =>
  importPlatform(sources, options);

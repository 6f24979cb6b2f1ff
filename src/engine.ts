import type { Input } from './spec/documents.ts';
import { read, type Reading } from './spec/read.ts';

export type { Input, Reading };

/** Is the file right? Reads it, and says everything that is not. */
export const check = (input: Input): Reading => read(input);

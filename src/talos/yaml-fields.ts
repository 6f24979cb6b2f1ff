import { parse } from 'yaml';

/** What a file that we wrote says, for programs that read JSON. */
export const yamlFields = (text: string): unknown => parse(text);

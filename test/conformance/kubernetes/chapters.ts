import type { Chapter } from './case.ts';
import { applying } from './cases/applying.ts';
import { creating } from './cases/creating.ts';
import { deleting } from './cases/deleting.ts';
import { listing, paging } from './cases/lists.ts';
import { jsonPatches, mergePatches, strategicPatches } from './cases/patching.ts';
import { reading } from './cases/reading.ts';
import { updating } from './cases/updating.ts';
import { watching } from './cases/watching.ts';

export const chapters: readonly Chapter[] = [
  creating,
  reading,
  updating,
  deleting,
  listing,
  paging,
  watching,
  jsonPatches,
  mergePatches,
  strategicPatches,
  applying,
];

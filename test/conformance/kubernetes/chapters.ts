import type { Chapter } from './case.ts';
import { access } from './cases/access.ts';
import { applying } from './cases/applying.ts';
import { creating } from './cases/creating.ts';
import { custom } from './cases/custom.ts';
import { definitionCases } from './cases/definitions.ts';
import { deleting } from './cases/deleting.ts';
import { garbage } from './cases/garbage.ts';
import { kinds } from './cases/kinds.ts';
import { listing, paging } from './cases/lists.ts';
import { namespaces } from './cases/namespaces.ts';
import { jsonPatches, mergePatches, strategicPatches } from './cases/patching.ts';
import { reading } from './cases/reading.ts';
import { discovery, tables } from './cases/shapes.ts';
import { subresources } from './cases/subresources.ts';
import { updating } from './cases/updating.ts';
import { watching } from './cases/watching.ts';
import { workloads } from './cases/workloads.ts';

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
  custom,
  definitionCases,
  subresources,
  access,
  garbage,
  workloads,
  namespaces,
  kinds,
  tables,
  discovery,
];

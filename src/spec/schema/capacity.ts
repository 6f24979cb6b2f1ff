import * as z from 'zod';
import { diskSize, integer, memorySize, namedFreely } from './values.ts';

/** What one host may give. Declared here it is taken as it is; absent, it is observed. */
const hostCapacity = z.strictObject({
  cpu: integer(1, 8192).describe('Logical processors (threads).'),
  memory: memorySize().describe('Memory that virtual machines may use.'),
  disk: namedFreely(diskSize(), 64)
    .describe(
      'Space per datastore. When given it is complete: a datastore that is not named is not there. Absent: disk is not proved.',
    )
    .optional(),
});

export const capacity = () =>
  namedFreely(hostCapacity, 256).describe('What each host may give, by host name; observed when absent.').optional();

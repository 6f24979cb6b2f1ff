import type { ProxmoxApi } from '../api/api.ts';
import type { Tasks } from '../api/tasks.ts';
import type { Facts } from '../facts.ts';

/** What whoever changes something has: the API, the tasks that it begins, and what is the same for all machines. */
export type Hands = { readonly api: ProxmoxApi; readonly tasks: Tasks; readonly facts: Facts };

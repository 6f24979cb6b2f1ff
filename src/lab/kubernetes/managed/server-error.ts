import { Refusal } from '../refusal.ts';

/** What the server did not see coming: a message and nothing else. */
export const serverError = (message: string): Refusal =>
  new Refusal({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });

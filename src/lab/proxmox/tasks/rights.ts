import type { Principal } from '../call.ts';

/** A user’s tasks are those of its tokens too; a token knows only its own. */
export const owns = (who: Principal, task: { readonly who: Principal }): boolean =>
  who.user === task.who.user && (who.token === undefined || who.token === task.who.token);

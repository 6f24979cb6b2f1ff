import { randomUUID } from 'node:crypto';
import { answer } from '../call.ts';
import type { Call, Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { died, wrongParameters } from '../refusal.ts';
import { accessOf, userConfig } from './state-of.ts';
import type { Token } from './state.ts';

export const shownToken = ({ privsep, expire, comment }: Token): Record<string, unknown> => ({
  privsep: privsep ? 1 : 0,
  expire,
  ...(comment === undefined ? {} : { comment }),
});

/** Refuses when there is no such user or token. */
function tokenOf(call: Call): { readonly token: Token; readonly full: string } {
  const userid = call.text('userid') ?? '';
  const tokenid = call.text('tokenid') ?? '';
  const token = accessOf(call.datacenter).user(userid).tokens.get(tokenid);
  if (token === undefined) throw died(`no such token '${tokenid}' for user '${userid}'`);
  return { token, full: `${userid}!${tokenid}` };
}

const path = '/access/users/{userid}/token';

export const tokenRoutes: Routes = {
  [`GET ${path}`]: (call) =>
    answer(
      [...accessOf(call.datacenter).user(call.text('userid') ?? '').tokens].map(([tokenid, token]) => ({
        tokenid,
        ...shownToken(token),
      })),
    ),

  [`GET ${path}/{tokenid}`]: (call) => answer(shownToken(tokenOf(call).token)),

  [`POST ${path}/{tokenid}`]: async (call) => {
    const userid = call.text('userid') ?? '';
    const tokenid = call.text('tokenid') ?? '';
    const { tokens } = accessOf(call.datacenter).user(userid);
    if (tokens.has(tokenid)) throw wrongParameters({ tokenid: 'Token already exists.' });
    const value = randomUUID();
    const [privsep, expire, comment] = [call.text('privsep'), call.text('expire'), call.text('comment')];
    await changingFile(call, userConfig, 'generating token failed', () => {
      tokens.set(tokenid, {
        value,
        privsep: privsep !== '0',
        expire: Number(expire ?? 0),
        comment: comment === '' ? undefined : comment,
      });
    });
    // What was sent comes back as it was sent; what was not is a number.
    const info = {
      privsep: privsep ?? 1,
      ...(expire === undefined ? {} : { expire }),
      ...(comment === undefined || comment === '' ? {} : { comment }),
    };
    return answer({ 'full-tokenid': `${userid}!${tokenid}`, value, info });
  },

  [`PUT ${path}/{tokenid}`]: async (call) => {
    const { token, full } = tokenOf(call);
    const unknown = call.list('delete').find((key) => key !== 'comment');
    const shown = await changingFile(call, userConfig, 'updating token info failed', () => {
      if (unknown !== undefined) throw wrongParameters({ delete: `unknown option '${unknown}'` });
      const [privsep, expire] = [call.text('privsep'), call.text('expire')];
      const comment = call.list('delete').includes('comment') ? undefined : (call.text('comment') ?? token.comment);
      token.privsep = privsep === undefined ? token.privsep : privsep === '1';
      token.expire = expire === undefined ? token.expire : Number(expire);
      token.comment = comment === '' ? undefined : comment;
      return {
        ...shownToken(token),
        ...(privsep === undefined ? {} : { privsep }),
        ...(expire === undefined ? {} : { expire }),
      };
    });
    if (!call.flag('regenerate')) return answer(shown);
    token.value = randomUUID();
    return answer({ ...shown, value: token.value, 'full-tokenid': full });
  },

  [`DELETE ${path}/{tokenid}`]: async (call) => {
    const { full } = tokenOf(call);
    const { users, acl } = accessOf(call.datacenter);
    await changingFile(call, userConfig, 'deleting token failed', () => {
      users.get(call.text('userid') ?? '')?.tokens.delete(call.text('tokenid') ?? '');
      acl.forget({ subjects: ({ kind, id }) => kind === 'token' && id === full });
    });
    return answer(null);
  },
};

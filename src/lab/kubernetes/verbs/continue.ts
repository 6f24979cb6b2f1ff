import { parseJson } from '../schema/json.ts';
import { badRequest } from '../refusal.ts';

type Token = { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown };

const refused = (why: string) => badRequest(`invalid continue token: continue key is not valid${why}`);

/** Where the next page begins, and of which version. */
export const encodeContinue = (start: string, version: number): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start })).toString('base64url');

export function decodeContinue(text: string): { readonly start: string; readonly version: number } {
  const bad = text.search(/[^A-Za-z0-9_-]/);
  if (bad >= 0) throw refused(`: illegal base64 data at input byte ${bad}`);
  const token = parse(Buffer.from(text, 'base64url').toString());
  if (token.v !== 'meta.k8s.io/v1')
    throw refused(`: server does not recognize this encoded version ${(token.v ?? '') as string}`);
  if (typeof token.rv !== 'number' || token.rv === 0)
    throw refused(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof token.start !== 'string' || token.start === '')
    throw refused(': encoded start key empty (version meta.k8s.io/v1)');
  if (token.start.split('/').some((each) => each === '..' || each === '.')) throw refused(`: ${token.start}`);
  return { start: token.start, version: token.rv };
}

function parse(text: string): Token {
  try {
    return parseJson(text).value as Token;
  } catch (error) {
    throw refused(`: ${(error as Error).message}`);
  }
}

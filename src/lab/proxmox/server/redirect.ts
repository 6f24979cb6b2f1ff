import type { Serve } from './connection.ts';

/** Says over plain HTTP where the same thing is served as it should be. */
export const redirect: Serve = async ({ method, headers, target }) => {
  const host = headers.get('host');
  if (host === undefined) return undefined;
  const location = `https://${host.replace(/^https?:\/\//, '')}${target}`;
  return method === 'GET'
    ? { status: 301, reason: 'Moved Permanently', body: 'Moved Permanently', location }
    : { status: 308, reason: 'Permanent Redirect', body: 'Permanent Redirect', location };
};

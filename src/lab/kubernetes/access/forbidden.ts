import type { User } from '../api.ts';
import { forbidden, quote } from '../refusal.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { ApiServer } from '../http/server.ts';
import type { Attributes } from './authorize.ts';

/** Throws in the API server’s words unless it is allowed. */
export function authorizeRequest(server: Pick<ApiServer, 'authorize'>, user: User, info: RequestInfo): void {
  const attributes: Attributes = { user, verb: info.verb, resource: info.resource, path: info.path };
  const verdict = server.authorize(attributes);
  if (!verdict.isAllowed) throw refused(attributes, verdict.reason);
}

export function refused({ user, verb, resource, path }: Attributes, reason: string) {
  const why = (text: string): string => (reason === '' ? text : `${text}: ${reason}`);
  if (resource === undefined)
    return forbidden(
      { group: '', resource: '' },
      '',
      why(`User ${quote(user.name)} cannot ${verb} path ${quote(path)}`),
    );
  const { group, subresource, namespace, name } = resource;
  const what = subresource === undefined ? resource.resource : `${resource.resource}/${subresource}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  const text = `User ${quote(user.name)} cannot ${verb} resource ${quote(what)} in API group ${quote(group)} ${where}`;
  return forbidden({ group, resource: resource.resource }, name ?? '', why(text));
}

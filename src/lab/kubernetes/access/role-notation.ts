import type { Rule } from './rules.ts';

const words: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'delete', 'deletecollection', 'patch', 'update'],
  manage: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
};

/**
 * Roles as text: a name at the start of a line, its rules below it and indented.
 * `read core|apps: pods deployments/scale = NAME`, `get /healthz /livez`, or `events` for whoever tells about others.
 */
export function rolesOf(text: string): ReadonlyMap<string, readonly Rule[]> {
  const roles = new Map<string, Rule[]>();
  let rules: Rule[] = [];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    if (line.startsWith(' ')) rules.push(ruleOf(line.trim()));
    else roles.set(line, (rules = []));
  }
  return roles;
}

function ruleOf(line: string): Rule {
  if (line === 'events')
    return { verbs: ['create', 'patch', 'update'], apiGroups: ['', 'events.k8s.io'], resources: ['events'] };
  const [verbText = '', first = '', ...others] = line.split(' ');
  const verbs = words[verbText] ?? verbText.split(',');
  if (!first.endsWith(':')) return { verbs, nonResourceURLs: [first, ...others] };
  const apiGroups = first
    .slice(0, -1)
    .split('|')
    .map((group) => (group === 'core' ? '' : group));
  const at = others.indexOf('=');
  if (at < 0) return { verbs, apiGroups, resources: others };
  return { verbs, apiGroups, resources: others.slice(0, at), resourceNames: others.slice(at + 1) };
}

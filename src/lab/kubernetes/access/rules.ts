import { quote } from '../refusal.ts';

/** What a role allows. */
export type Rule = {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
};

export type ResourceAction = {
  readonly verb: string;
  readonly group: string;
  /** `pods/log` */
  readonly resource: string;
  readonly name: string;
};

export function allowsResource(rule: Rule, { verb, group, resource, name }: ResourceAction): boolean {
  const slash = resource.indexOf('/');
  const subresource = slash < 0 ? undefined : `*${resource.slice(slash)}`;
  const { resources = [], resourceNames = [] } = rule;
  return (
    any(rule.verbs, verb) &&
    any(rule.apiGroups ?? [], group) &&
    (any(resources, resource) || (subresource !== undefined && resources.includes(subresource))) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

export const allowsPath = (rule: Rule, verb: string, path: string): boolean =>
  any(rule.verbs, verb) && (rule.nonResourceURLs ?? []).some((each) => coversPath(each, path));

const any = (set: readonly string[], wanted: string): boolean => set.includes('*') || set.includes(wanted);

const coversPath = (owner: string, path: string): boolean =>
  owner === path || (owner.endsWith('*') && path.startsWith(owner.replace(/\*+$/, '')));

/** What of `wanted` somebody may not do who may do `owned`, verb by verb. */
export const missingRules = (owned: readonly Rule[], wanted: readonly Rule[]): readonly Rule[] =>
  wanted.flatMap(split).filter((part) => !owned.some((rule) => covers(rule, part)));

const split = ({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule): Rule[] => [
  ...apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb): Rule[] => {
        const part = { apiGroups: [group], resources: [resource], verbs: [verb] };
        return resourceNames.length === 0 ? [part] : resourceNames.map((name) => ({ ...part, resourceNames: [name] }));
      }),
    ),
  ),
  ...nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] }))),
];

function covers(owner: Rule, part: Rule): boolean {
  const names = owner.resourceNames ?? [];
  return (
    part.verbs.every((verb) => any(owner.verbs, verb)) &&
    (part.apiGroups ?? []).every((group) => any(owner.apiGroups ?? [], group)) &&
    (part.resources ?? []).every((resource) => coversResource(owner.resources ?? [], resource)) &&
    (names.length === 0 ||
      ((part.resourceNames ?? []).length > 0 && part.resourceNames?.every((name) => names.includes(name)) === true)) &&
    (part.nonResourceURLs ?? []).every((url) => (owner.nonResourceURLs ?? []).some((each) => coversPath(each, url)))
  );
}

const coversResource = (owned: readonly string[], resource: string): boolean =>
  any(owned, resource) || (resource.includes('/') && owned.includes(`*${resource.slice(resource.indexOf('/'))}`));

/** Rules of one resource as one, and as the API server writes them. */
export function describeRules(rules: readonly Rule[]): readonly string[] {
  const simple = new Map<string, Rule>();
  const others: Rule[] = [];
  for (const rule of rules) {
    if (rule.nonResourceURLs !== undefined) {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const before = simple.get(key);
    simple.set(key, before === undefined ? rule : { ...before, verbs: [...before.verbs, ...rule.verbs] });
  }
  return [...new Set([...others, ...simple.values()].map(describe))].sort();
}

const list = (values: readonly string[]): string => `[${values.map(quote).join(' ')}]`;

function describe({ apiGroups = [], resources = [], nonResourceURLs = [], resourceNames = [], verbs }: Rule): string {
  const parts = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ] as const;
  return `{${parts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}:${list(values)}`)
    .join(', ')}}`;
}

export const listOf = list;

import { createHash } from 'node:crypto';
import type { Datacenter } from '../datacenter.ts';
import { died } from '../refusal.ts';

export type HaState = 'started' | 'stopped' | 'enabled' | 'disabled' | 'ignored';

/** A guest that the manager looks after; properties as its file has them. */
export type HaResource = {
  /** `vm:101` */
  readonly sid: string;
  readonly type: 'vm' | 'ct';
  readonly vmid: number;
  readonly properties: Map<string, string>;
};

export type HaRule = {
  readonly id: string;
  readonly type: 'node-affinity' | 'resource-affinity';
  resources: ReadonlySet<string>;
  /** Priorities by host; only of node affinity. */
  nodes: ReadonlyMap<string, number> | undefined;
  /** affinity, strict, disable, comment */
  readonly properties: Map<string, string>;
};

/** What placed guests before there were rules. */
export type HaGroup = { readonly id: string; readonly properties: Map<string, string> };

export const requestedState = ({ properties }: Pick<HaResource, 'properties'>): Exclude<HaState, 'enabled'> => {
  const state = properties.get('state') ?? 'started';
  return state === 'enabled' ? 'started' : (state as Exclude<HaState, 'enabled'>);
};

/** resources.cfg, rules.cfg and groups.cfg. */
export class HaConfig {
  readonly resources = new Map<string, HaResource>();
  readonly rules = new Map<string, HaRule>();
  readonly groups = new Map<string, HaGroup>();

  resourcesDigest(): string {
    return sha1([...this.resources.values()].map(({ sid, properties }) => section(sid, properties)));
  }

  rulesDigest(): string {
    return sha1([...this.rules.values()].map((rule) => section(`${rule.type}: ${rule.id}`, ruleLines(rule))));
  }

  groupsDigest(): string {
    return sha1([...this.groups.values()].map(({ id, properties }) => section(`group: ${id}`, properties)));
  }

  /** Out of the resources; with `purge` out of the rules too, and rules that have nothing left go with it. */
  remove(sid: string, purge: boolean): void {
    this.resources.delete(sid);
    if (!purge) return;
    for (const rule of this.rules.values()) {
      rule.resources = new Set([...rule.resources].filter((each) => each !== sid));
      if (rule.resources.size === 0) this.rules.delete(rule.id);
    }
  }
}

const section = (head: string, properties: Iterable<readonly [string, string]>): string =>
  `${head}\n${[...properties].map(([key, value]) => `\t${key} ${value}\n`).join('')}`;

const sha1 = (sections: readonly string[]): string => createHash('sha1').update(sections.join('\n')).digest('hex');

const ruleLines = ({ resources, nodes, properties }: HaRule): [string, string][] => [
  ['resources', [...resources].join(',')],
  ...(nodes === undefined ? [] : ([['nodes', nodesText(nodes)]] as [string, string][])),
  ...properties,
];

/** `pve1:2,pve2` */
export const nodesText = (nodes: ReadonlyMap<string, number>): string =>
  [...nodes]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, priority]) => (priority === 0 ? name : `${name}:${priority}`))
    .join(',');

export const parseNodes = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    names.map((each) => {
      const [name = '', priority = '0'] = each.split(':');
      return [name, Number(priority)];
    }),
  );

/** `vm:101`, or the VMID alone. */
export function parseSid({ vms, containers }: Datacenter, text: string): Omit<HaResource, 'properties'> {
  if (/^\d+$/.test(text)) {
    const vmid = Number(text);
    const type = vms.has(vmid) ? 'vm' : containers.has(vmid) ? 'ct' : undefined;
    if (type === undefined) throw died(`unable to detect SID from VMID - VM/CT ${text} does not exist`);
    return { sid: `${type}:${vmid}`, type, vmid };
  }
  const [, type, name = ''] = /^(\S+?):(\S+)$/.exec(text) ?? [];
  if (type === undefined) throw died(`unable to parse service id '${text}'`);
  if (type !== 'vm' && type !== 'ct') throw died(`unknown section type '${type}'`);
  return { sid: text, type, vmid: Number(name) };
}

import type { Platform } from '../src/spec/platform.ts';
import { read } from '../src/spec/read.ts';
import { planPlatform, type PlanOptions } from '../src/plan/plan.ts';
import type { Plan } from '../src/model/plan.ts';
import { settle } from './arbitrary/worlds.ts';
import { empty, seen, type Imagined } from './imagined.ts';
import { outline } from './outline.ts';

type Wish = {
  readonly controlPlanes?: number;
  /** Replicas of each pool. */
  readonly pools?: Readonly<Record<string, number>>;
  readonly machines?: object;
  readonly proxmox?: object;
  readonly cluster?: object;
  /** What workers are made of. */
  readonly worker?: object;
  readonly hosts?: number;
};

/** A small platform on three hosts: control planes cp-0 …, and workers w-0 … unless pools are named. */
export function platformWith(wish: Wish = {}): Platform {
  const { controlPlanes = 1, pools = { w: 2 }, worker = {}, hosts = 3, cluster = {}, machines, proxmox = {} } = wish;
  const names = Array.from({ length: hosts }, (_, index) => `pve${index + 1}`);
  const file = {
    apiVersion: 'ichor.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'p' },
    spec: {
      machines: machines ?? {
        proxmox: {
          endpoint: 'https://pve1.example.org:8006',
          token: { env: 'TOKEN' },
          hosts: names,
          capacity: Object.fromEntries(
            names.map((name) => [name, { cpu: 64, memory: '256GiB', disk: { 'local-lvm': '4TiB' } }]),
          ),
          ...proxmox,
        },
      },
      cluster: {
        endpoint: { host: 'k8s.example.org' },
        talos: { version: 'v1.13.9' },
        kubernetes: { version: 'v1.35.2' },
        controlPlane: { replicas: controlPlanes },
        workers: Object.fromEntries(Object.entries(pools).map(([pool, replicas]) => [pool, { replicas, ...worker }])),
        ...cluster,
      },
    },
  };
  const { platforms, problems } = read({ sources: [{ name: 'p.yaml', content: JSON.stringify(file) }], settings: [] });
  const [platform] = platforms;
  if (platform === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return platform;
}

/** A cluster that is as its file says. */
export function builtFrom(platform: Platform): Imagined {
  const world = settle(platform, empty(platform));
  if (world === undefined) throw new Error('It never ends.');
  return structuredClone(world);
}

export const planFor = (platform: Platform, world: Imagined, options: Partial<PlanOptions> = {}): Plan =>
  planPlatform(platform, seen(world, platform), { intent: 'converge', ...options }).plan;

export const outlineFor = (
  platform: Platform,
  world: Imagined,
  options: Partial<PlanOptions> = {},
): readonly string[] => outline(planFor(platform, world, options));

import type { BootstrapOnce, Standing, TalosNode } from '../../src/clients/talos.ts';
import { materialOf } from '../../src/engine/material.ts';
import { handlers } from '../../src/execute/handlers.ts';
import type { Tools } from '../../src/execute/tools.ts';
import type { MachineRef, ObservedMachine } from '../../src/model/observed.ts';
import { Problem } from '../../src/model/problem.ts';
import type { Step } from '../../src/model/step.ts';
import { known, type Seen } from '../../src/model/seen.ts';
import type { MachineReader, MachineWriter } from '../../src/providers/provider.ts';
import { seededEntropy, testClock } from '../entropy.ts';
import { fakeNode, opens, patience } from '../fake-talos.ts';
import { FakeKubernetes } from '../fake-kubernetes.ts';
import { MemoryStore } from '../memory-store.ts';
import { platformFile } from '../said.ts';
import { platformOf } from '../talos-platform.ts';

type StepOf<K extends Step['kind']> = Omit<Extract<Step, { readonly kind: K }>, 'kind'>;

export type BenchOptions = {
  readonly file?: string;
  /** By their address. */
  readonly nodes?: Readonly<Record<string, Partial<TalosNode>>>;
  /** By address, one after the other; the last stays. Absent: nothing is there. */
  readonly standings?: Readonly<Record<string, readonly Standing[]>>;
  readonly reader?: Partial<MachineReader>;
  readonly writer?: Partial<MachineWriter>;
  readonly secrets?: string;
  readonly bootstrapOnce?: BootstrapOnce;
};

export const vm = (name: string, changed: Partial<ObservedMachine> = {}): ObservedMachine => ({
  mark: { platform: 'prod', name, uuid: `uuid-of-${name}` },
  id: '401',
  host: 'pve1',
  power: known('on'),
  busy: undefined,
  cpu: 2,
  memoryMiB: 2048,
  disks: [],
  macs: [],
  medium: undefined,
  staticAddress: undefined,
  settings: {},
  ...changed,
});

export const refTo = (name: string): MachineRef => {
  const { mark, id, host } = vm(name);
  return { mark, id, host };
};

export const seen = (...machines: readonly ObservedMachine[]): readonly Seen<ObservedMachine>[] => machines.map(known);

/** Handlers at work on people who do what a test says; time passes where somebody waits. */
export async function aBench(options: BenchOptions = {}) {
  const store = new MemoryStore(options.secrets);
  const platform = platformOf(options.file ?? oneOfEach);
  const source = { file: 'platform.yaml' };
  const making = { clock: testClock, entropy: seededEntropy('bench') };
  const material = materialOf({ platform, source, resolved: new Map() }, store, making);
  store.secretsText ??= await secretsOnce(() => material.newSecrets());
  const { clock, pause } = patience();
  const asked: string[] = [];
  const told: string[] = [];
  const kubernetes = new FakeKubernetes();
  const visits = new Map<string, number>();
  const existing = platform.provider.kind === 'existing';
  const tools: Tools = {
    clock,
    pause,
    entropy: making.entropy,
    store,
    provider: existing
      ? undefined
      : {
          reader: { machines: async () => [], address: async () => undefined, ...options.reader } as MachineReader,
          writer: { ...options.writer } as MachineWriter,
          [Symbol.asyncDispose]: async () => {},
        },
    talos: {
      open: (target) => {
        asked.push(`open ${target.host} ${target.access.kind}`);
        return opens(
          Object.fromEntries(
            Object.entries(options.nodes ?? {}).map(([host, can]) => [host, fakeNode(can, asked)] as const),
          ),
        )(target);
      },
      probe: async ({ host }) => {
        const standings = options.standings?.[host] ?? [{ kind: 'absent', because: 'nothing listens there' }];
        const visit = visits.get(host) ?? 0;
        visits.set(host, visit + 1);
        return standings[Math.min(visit, standings.length - 1)]!;
      },
      bootstrapOnce: options.bootstrapOnce ?? (() => Promise.reject(new Error('nobody bootstraps here'))),
    },
    openKubernetes: () => kubernetes,
    helm: async () => undefined,
    registerSchematic: async () => {},
    material,
    found: { addresses: new Map(), refs: new Map(), images: new Map() },
  };
  const does = <K extends Step['kind']>(kind: K, step: StepOf<K>): Promise<void> =>
    (handlers[kind] as unknown as (...all: readonly unknown[]) => Promise<void>)(
      { kind, ...step },
      tools,
      {
        tell: (event: { kind: string; text: string; for: string; because: string }) =>
          void told.push(event.kind === 'says' ? event.text : `${event.for}: ${event.because}`),
        atMostMs: 600_000,
      },
      new AbortController().signal,
    );
  const refuses = async <K extends Step['kind']>(kind: K, step: StepOf<K>): Promise<Problem> => {
    const outcome = await does(kind, step).catch((error: unknown) => error);
    if (outcome instanceof Problem) return outcome;
    throw outcome instanceof Error ? outcome : new Error(`${kind} was not refused.`);
  };
  return { tools, store, asked, told, kubernetes, does, refuses };
}

let made: Promise<string> | undefined;
const secretsOnce = (make: () => Promise<string>): Promise<string> => (made ??= make());

const oneOfEach = platformFile({
  cluster:
    '{ controlPlane: { replicas: 1 }, workers: { general: { replicas: 1 } }, endpoint: { vip: 10.9.0.5 }, highAvailability: false }',
});

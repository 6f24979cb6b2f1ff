import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageFetcher, imageTrier } from '../../src/clients/images/fetch.ts';
import { schematicRegistrar } from '../../src/clients/images/factory.ts';
import { openKubernetes } from '../../src/clients/kubernetes/client.ts';
import { bootstrapCarefully, type Pace } from '../../src/clients/talos/bootstrap.ts';
import { openTalos } from '../../src/clients/talos/node.ts';
import { probeTalos } from '../../src/clients/talos/probe.ts';
import { run } from '../../src/engine/converge.ts';
import type { EngineTools } from '../../src/engine/run.ts';
import type { LabClock } from '../../src/lab/clock.ts';
import { FaultBoard } from '../../src/lab/fault-board.ts';
import { startLab, type Lab } from '../../src/lab/lab.ts';
import { usualDurations } from '../../src/lab/proxmox/durations.ts';
import { quickDurations } from '../../src/lab/talos/node/hardware.ts';
import type { Outcome, RunEvent } from '../../src/model/event.ts';
import { openProxmox } from '../../src/providers/proxmox/proxmox.ts';
import type { ProxmoxSettings } from '../../src/providers/proxmox/settings.ts';
import { seededEntropy } from '../entropy.ts';
import { MemoryStore } from '../memory-store.ts';
import { platformFile } from '../said.ts';
import { platformOf } from '../talos-platform.ts';

/** A data centre in this process and the engine at work on it: nothing is started, and nothing waits for the wall. */
export type StormPlace = AsyncDisposable & {
  readonly lab: Lab;
  readonly faults: FaultBoard;
  readonly store: MemoryStore;
  /** What the last run told. */
  readonly told: readonly RunEvent[];
  readonly runs: (intent: 'converge' | 'destroy') => Promise<Outcome>;
};

const speed = 100;
const hour = 3_600_000;
const quick = { ...usualDurations, importPerGiB: 100, downloadPerGiB: 100, agentSilence: 500 };
const pace: Pace = { answerMs: 1000, preparesMs: 50, settleMs: 400, stuckMs: 5000, deadlineMs: 60_000 };

/** Far behind the wall, so that no certificate is too new for it. */
function fastClock(): LabClock {
  const began = Date.now() - 10 * hour;
  const from = performance.now();
  const now = (): number => began + (performance.now() - from) * speed;
  return {
    now: () => new Date(now()),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          reject(signal?.reason as Error);
        };
        const timer = setTimeout(
          () => {
            signal?.removeEventListener('abort', stop);
            resolve();
          },
          Math.ceil(ms / speed) + 1,
        );
        if (signal?.aborted === true) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      }),
  };
}

export async function stormPlace(seed: number, controlPlanes: 1 | 3): Promise<StormPlace> {
  const clock = fastClock();
  const lab = await startLab({
    addresses: 'mapped',
    network: '192.168.99.0/24',
    hosts: controlPlanes === 3 ? 3 : 2,
    clock,
    seed,
    durations: quick,
    talos: { durations: quickDurations },
    kubernetes: { seed },
  });
  const platform = platformOf(platformText(lab, controlPlanes));
  const connect = lab.connector();
  const pause: EngineTools['pause'] = (ms, signal) => clock.sleep(ms, signal);
  const store = new MemoryStore();
  // Hosts that fail to fetch an image are sent one from here.
  const images = { folder: mkdtempSync(join(tmpdir(), 'ichor-storm-')) };
  const openProvider = () =>
    openProxmox(
      { ...(platform.provider as unknown as ProxmoxSettings), tls: { insecure: false } },
      { credentials: { kind: 'token', token: lab.proxmox.token() }, ca: lab.proxmox.ca },
      {
        clock,
        pause,
        random: Math.random,
        warn: () => undefined,
        connect,
        fetchFile: imageFetcher(images),
        tryFile: imageTrier(images),
      },
    );
  let told: RunEvent[] = [];
  let count = 0;
  return {
    lab,
    store,
    faults: new FaultBoard(lab),
    get told() {
      return told;
    },
    runs: async (intent) => {
      told = [];
      await using provider = openProvider();
      const tools: EngineTools = {
        clock,
        pause,
        entropy: seededEntropy(`${seed}/${count++}`),
        store,
        provider,
        talos: {
          open: (target) => openTalos({ ...target, connect }),
          probe: (target, signal) => probeTalos({ ...target, connect }, signal),
          bootstrapOnce: (nodes, chosen, signal) => bootstrapCarefully(nodes, chosen, signal, pace),
        },
        openKubernetes: (target, others) =>
          openKubernetes(target, { connect, pause, ...(others === undefined ? {} : { others }) }),
        helm: async () => undefined,
        registerSchematic: schematicRegistrar({}),
      };
      const never = new AbortController().signal;
      return run(
        { platform, source: { file: 'platform.yaml' }, resolved: new Map() },
        {
          intent,
          parallelism: 10,
          atMostMs: 600_000,
          runner: { who: 'somebody', host: 'here', pid: 1, started: '1', command: 'ichor' },
          confirm: async () => true,
          tell: (event) => void told.push(event),
        },
        tools,
        { gentle: never, now: never },
      );
    },
    [Symbol.asyncDispose]: async () => {
      await lab[Symbol.asyncDispose]();
      rmSync(images.folder, { recursive: true, force: true });
    },
  };
}

function platformText(lab: Lab, controlPlanes: number): string {
  const [first = '', ...others] = lab.proxmox.endpoints.values();
  const hosts = [...lab.proxmox.endpoints.keys()];
  return platformFile({
    machines: `{ proxmox: { endpoint: "${first}", endpoints: [${others.map((url) => `{ url: "${url}" }`).join(', ')}], token: { env: TOKEN }, hosts: [${hosts.join(', ')}], datastore: local-lvm, imageDatastore: local, bridge: vmbr0 } }`,
    cluster: `{ talos: { version: v1.13.9, extensions: [qemu-guest-agent], image: { factory: "${lab.factory.url}" } }, controlPlane: { replicas: ${controlPlanes}, cpu: 2, memory: 4GiB, disk: 20GiB }, workers: { general: { replicas: 1, cpu: 2, memory: 4GiB, disk: 20GiB } }, highAvailability: false, cni: { cilium: {} } }`,
  });
}

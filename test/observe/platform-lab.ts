import { setTimeout } from 'node:timers/promises';
import { platformText } from '../../src/cli/lab-platform.ts';
import { openKubernetes } from '../../src/clients/kubernetes/client.ts';
import type { TalosNode } from '../../src/clients/talos.ts';
import { bootstrapOnce } from '../../src/clients/talos/bootstrap.ts';
import { openTalos } from '../../src/clients/talos/node.ts';
import { probeTalos } from '../../src/clients/talos/probe.ts';
import { shownCertificate } from '../../src/clients/tls/certificate.ts';
import type { Meant } from '../../src/engine/run.ts';
import type { VerifyTools } from '../../src/engine/verify.ts';
import { materialOf, type PlatformMaterial } from '../../src/engine/material.ts';
import { wallClock } from '../../src/lab/clock.ts';
import { startLab, type Lab } from '../../src/lab/lab.ts';
import type { MachineRef } from '../../src/model/observed.ts';
import type { World } from '../../src/model/world.ts';
import type { Eyes } from '../../src/observe/eyes.ts';
import { observe } from '../../src/observe/observe.ts';
import { provePlatform } from '../../src/plan/proof.ts';
import { openProxmox } from '../../src/providers/proxmox/proxmox.ts';
import type { Provider } from '../../src/providers/provider.ts';
import type { Platform } from '../../src/spec/platform.ts';
import { imageRequestFor } from '../../src/talos/image-requests.ts';
import { eventually } from '../lab/asking.ts';
import { seededEntropy } from '../entropy.ts';
import { MemoryStore } from '../memory-store.ts';
import { toolsOf } from '../proxmox/cluster.ts';
import { platformOf } from '../talos-platform.ts';

/** A platform in a lab on loopback, brought up step by step by hand, and eyes to look at it with. */
export class PlatformLab implements AsyncDisposable {
  readonly lab: Lab;
  readonly provider: Provider;
  readonly store = new MemoryStore();
  readonly refs = new Map<string, MachineRef>();
  readonly text: string;
  readonly platform: Platform;

  private constructor(lab: Lab, provider: Provider, text: string) {
    this.lab = lab;
    this.provider = provider;
    this.text = text;
    this.platform = platformOf(text);
  }

  /** The same file, edited. */
  edited(change: (text: string) => string): Platform {
    return platformOf(change(this.text));
  }

  static async start(
    change: (text: string) => string = (text) => text,
    options: { readonly latencyMs?: number; readonly hosts?: number } = {},
  ): Promise<PlatformLab> {
    const { hosts = 3, latencyMs = 0 } = options;
    const clock = wallClock(50);
    const lab = await startLab({
      addresses: 'mapped',
      hosts,
      clock,
      latencyMs,
    });
    const text = change(
      platformText({
        name: 'prod',
        endpoints: [...lab.proxmox.endpoints.values()],
        hosts: [...lab.proxmox.endpoints.keys()],
        tokenFile: 'token',
        caFile: 'ca.pem',
        factory: lab.factory.url,
        cni: 'flannel',
        network: lab.guests.network,
      }),
    );
    const platform = platformOf(text);
    if (platform.provider.kind !== 'proxmox') throw new Error('It is a Proxmox.');
    const credentials = { kind: 'token', token: lab.proxmox.token() } as const;
    const provider = openProxmox(
      platform.provider,
      { credentials, ca: lab.proxmox.ca },
      toolsOf(lab.proxmox, clock, []),
    );
    return new PlatformLab(lab, provider, text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.provider[Symbol.asyncDispose]();
    await this.lab[Symbol.asyncDispose]();
  }

  /** What the file comes to. */
  material(platform = this.platform): PlatformMaterial {
    const making = { clock: { now: () => new Date() }, entropy: seededEntropy('platform-lab') };
    return materialOf({ platform, source: { file: 'platform.yaml' }, resolved: new Map() }, this.store, making);
  }

  eyes(platform = this.platform): Eyes {
    const connect = this.lab.connector();
    return {
      clock: { now: () => new Date() },
      reader: this.provider.reader,
      talos: {
        open: (target) => openTalos({ ...target, connect }),
        probe: (target, signal) => probeTalos({ ...target, connect }, signal),
      },
      openKubernetes: (target, others) =>
        openKubernetes(target, { connect, ...(others === undefined ? {} : { others }) }),
      store: this.store,
      wanted: this.material(platform),
    };
  }

  /** What commands that only look are handed. */
  tools(): VerifyTools {
    const { talos, openKubernetes: open } = this.eyes();
    return {
      clock: { now: () => new Date() },
      entropy: seededEntropy('tools'),
      store: this.store,
      provider: this.provider,
      talos: { ...talos, bootstrapOnce } as VerifyTools['talos'],
      openKubernetes: open as VerifyTools['openKubernetes'],
      shownCertificate: (place, signal) => shownCertificate(place, this.lab.connector(), signal),
      modeOf: () => Promise.resolve(0o100600),
    };
  }

  get meant(): Meant {
    return { platform: this.platform, source: { file: 'platform.yaml' }, resolved: new Map() };
  }

  look(platform = this.platform): Promise<World> {
    return observe(platform, this.eyes(platform), AbortSignal.timeout(60_000));
  }

  async makeSecrets(): Promise<void> {
    this.store.secretsText = await this.material().newSecrets();
  }

  /** Creates and starts the machines that are named; all of them when nobody is. */
  async makeMachines(only?: readonly string[]): Promise<void> {
    const signal = AbortSignal.timeout(60_000);
    const { reader, writer } = this.provider;
    const { inventory } = await reader.survey(signal);
    const { cluster } = this.platform;
    await fetch(`${this.lab.factory.url}/schematics`, {
      method: 'POST',
      body: JSON.stringify({
        customization: {
          systemExtensions: { officialExtensions: cluster.talos.extensions.map((each) => `siderolabs/${each}`) },
        },
      }),
    });
    const placed = provePlatform(this.platform, inventory).machines.filter(
      ({ machine }) => only === undefined || only.includes(machine.name),
    );
    const hosts = [...new Set(placed.flatMap(({ host }) => host ?? []))];
    const [first] = placed;
    if (first === undefined) return;
    const images = await writer.ensureImage(imageRequestFor(this.platform, first.machine), hosts, signal);
    await Promise.all(
      placed.map(async ({ machine, identity, host }) => {
        const image = images.find((each) => each.host === host);
        if (host === null || image === undefined) throw new Error('There is no room.');
        const { network } = cluster;
        const ref = await writer.create(
          {
            mark: { platform: this.platform.name, name: machine.name, uuid: identity.uuid },
            role: machine.role,
            pool: machine.pool,
            hostname: machine.hostname,
            host,
            id: String(identity.vmid),
            shape: machine.shape,
            mac: identity.mac,
            image,
            staticAddress:
              identity.address === null
                ? undefined
                : {
                    address: identity.address,
                    prefix: Number(network.nodes?.split('/')[1] ?? 24),
                    gateway: network.gateway,
                    nameservers: network.nameservers,
                  },
            firstConfig: undefined,
          },
          signal,
        );
        this.refs.set(machine.name, ref);
        await writer.setPower(ref, 'on', signal);
      }),
    );
    const named = new Set(placed.map(({ machine }) => machine.name));
    await this.untilStage('maintenance', placed.length, named);
  }

  /** Until as many machines, of these where they are named, are in a stage. */
  async untilStage(stage: string, count: number, of?: ReadonlySet<string>): Promise<void> {
    await eventually(
      () =>
        this.lab.guests.running().filter(({ talos, name }) => talos?.stage === stage && of?.has(name) !== false).length,
      (there) => there >= count,
    );
  }

  addressOf(machine: string): string {
    const address = this.material().fixedAddress(machine);
    if (address === undefined) throw new Error(`${machine} has no address.`);
    return address;
  }

  async configure(only?: readonly string[]): Promise<void> {
    const material = this.material();
    const signal = AbortSignal.timeout(60_000);
    for (const { name } of this.platform.machines.filter((each) => only === undefined || only.includes(each.name))) {
      await using node = this.eyesOpen(name, { kind: 'maintenance' });
      await node.apply(await material.config(name, new Map()), { mode: 'auto' }, signal);
    }
  }

  /** A connection to a machine; ours unless something else is said. */
  eyesOpen(machine: string, access: Parameters<typeof openTalos>[0]['access']): TalosNode {
    return openTalos({ host: this.addressOf(machine), access, connect: this.lab.connector() });
  }

  async open(machine: string): Promise<TalosNode> {
    return this.eyesOpen(machine, await this.material().talosAccess());
  }

  /** Until a machine answers to our certificates. */
  async untilUp(machine: string): Promise<void> {
    const signal = AbortSignal.timeout(60_000);
    await using node = await this.open(machine);
    for (;;) {
      const up = await node.version(signal).then(
        () => true,
        () => false,
      );
      if (up) return;
      await setTimeout(20);
    }
  }

  async bootstrap(): Promise<void> {
    const signal = AbortSignal.timeout(60_000);
    const planes = this.platform.machines.filter(({ role }) => role === 'control-plane');
    await Promise.all(this.platform.machines.map(({ name }) => this.untilUp(name)));
    const nodes = await Promise.all(
      planes.map(async ({ name, role }) => ({ name, role, addresses: [], talos: await this.open(name) })),
    );
    const chosen = planes[0]?.name ?? '';
    await this.store.remember({
      ...(await this.store.memory(this.platform.name)),
      bootstrap: { machine: chosen, chosenAt: new Date().toISOString() },
    });
    await bootstrapOnce(nodes, chosen, signal);
    await Promise.all(nodes.map(({ talos }) => talos[Symbol.asyncDispose]()));
    await eventually(
      () =>
        this.platform.machines.every(({ hostname }) => this.lab.clusters.some(({ twin }) => twin.isReady(hostname))),
      (ready) => ready,
      60_000,
    );
  }

  async writeArtifacts(): Promise<void> {
    const material = this.material();
    const found = new Map(
      this.platform.machines.flatMap(({ name }) => {
        const address = material.fixedAddress(name);
        return address === undefined ? [] : [[name, address] as const];
      }),
    );
    for (const path of material.artifacts) await this.store.writeArtifact(path, await material.artifact(path, found));
  }

  /** The whole way. */
  async up(): Promise<void> {
    await this.makeSecrets();
    await this.makeMachines();
    await this.configure();
    await this.bootstrap();
    await this.writeArtifacts();
  }
}

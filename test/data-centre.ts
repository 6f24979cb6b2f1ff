import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platformText } from '../src/cli/lab-platform.ts';
import { wallClock } from '../src/lab/clock.ts';
import { startLab, type Lab, type LabOptions } from '../src/lab/lab.ts';
import { newSecrets } from '../src/talos/secrets/new.ts';
import { secretsText } from '../src/talos/secrets/text.ts';
import { ichorBeside, type Ran } from './cli.ts';
import { seededEntropy, testClock } from './entropy.ts';

/** A lab in this process, a folder with a platform file for it, and the built command line that runs there. */
export interface DataCentre extends AsyncDisposable {
  readonly lab: Lab;
  /** Where ichor runs. */
  readonly folder: string;
  /** Network of the machines; addresses end with a number from 128 on. */
  readonly address: (last: number) => string;
  /** The platform file as it is now. */
  readonly file: () => string;
  readonly write: (text: string) => void;
  /** Changes the file; a replacement that changes nothing is a mistake of the test. */
  readonly edit: (...changes: readonly (readonly [from: string | RegExp, to: string])[]) => void;
  readonly ichor: (args: readonly string[], env?: Record<string, string>) => Promise<Ran>;
  /** `ichor up --yes`. */
  readonly up: (...args: readonly string[]) => Promise<Ran>;
  readonly destroy: (...args: readonly string[]) => Promise<Ran>;
  /** What changed something at the Proxmox API, since the last time that was asked. */
  readonly writes: () => readonly string[];
  /** Names of VMs by VMID. */
  readonly vms: () => Readonly<Record<number, string>>;
  /** Nodes of the newest cluster and whether they are Ready. */
  readonly nodes: () => Readonly<Record<string, boolean>>;
}

let counter = 0;
/** Another checkout, and another worker, may tell the same story at the same time. */
const freshNetwork = (): string =>
  `127.${60 + (process.pid % 90)}.${(Math.floor(process.pid / 90) * 7 + counter++) % 250}.0/24`;

export async function dataCentre({
  speed = 50,
  small = false,
  fresh = false,
  ...options
}: LabOptions & {
  readonly speed?: number;
  /** One control plane and one worker. */
  readonly small?: boolean;
  /** Without secrets: making some takes seconds, and most stories are about something else. */
  readonly fresh?: boolean;
} = {}): Promise<DataCentre> {
  const network = freshNetwork();
  const lab = await startLab({ clock: wallClock(speed), hosts: 3, network, ...options });
  const folder = mkdtempSync(join(tmpdir(), 'ichor-dc-'));
  const path = join(folder, 'platform.yaml');
  const { proxmox, factory, guests } = lab;
  writeFileSync(join(folder, 'token'), `${proxmox.token('ichor')}\n`, { mode: 0o600 });
  writeFileSync(join(folder, 'ca.pem'), proxmox.ca);
  if (!fresh) {
    mkdirSync(join(folder, 'talos'), { mode: 0o700 });
    const secrets = await newSecrets(seededEntropy(network), testClock, '1.13');
    writeFileSync(join(folder, 'talos/secrets.yaml'), secretsText(secrets), { mode: 0o600 });
  }
  const text = platformText({
    name: 'lab',
    endpoints: [...proxmox.endpoints.values()],
    hosts: [...proxmox.endpoints.keys()],
    tokenFile: join(folder, 'token'),
    caFile: join(folder, 'ca.pem'),
    factory: factory.url,
    network: guests.network,
  });
  writeFileSync(path, small ? shrunk(text) : text);
  let told = 0;
  const ichor = (args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
    ichorBeside(args, { cwd: folder, env: { CI: '1', ...env } });
  const file = (): string => readFileSync(path, 'utf8');
  const write = (changed: string): void => writeFileSync(path, changed);
  return {
    lab,
    folder,
    address: (last) => network.replace(/0\/24$/, String(last)),
    file,
    write,
    edit: (...changes) =>
      write(
        changes.reduce((before, [from, to]) => {
          const after = before.replace(from, to);
          if (after === before) throw new Error(`There is no ${String(from)} in:\n${before}`);
          return after;
        }, file()),
      ),
    ichor,
    up: (...args) => ichor(['up', '--yes', ...args]),
    destroy: (...args) => ichor(['destroy', '--yes', ...args]),
    writes: () => {
      const all = proxmox.requests();
      const since = all.slice(told);
      told = all.length;
      return since.filter(({ method }) => method !== 'GET').map(({ method, path: where }) => `${method} ${where}`);
    },
    vms: () => Object.fromEntries(proxmox.vms().map(({ vmid, config }) => [vmid, config['name'] ?? ''])),
    nodes: () => {
      const twin = lab.clusters.at(-1)?.twin;
      const names = twin?.api.list('/nodes').map(({ metadata }) => metadata.name ?? '') ?? [];
      return Object.fromEntries(names.toSorted().map((name) => [name, twin?.isReady(name) === true]));
    },
    [Symbol.asyncDispose]: async () => {
      await lab[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const shrunk = (text: string): string =>
  text
    .replace(/controlPlane: \{ replicas: 3/, 'controlPlane: { replicas: 1')
    .replace(/general: \{ replicas: 3/, 'general: { replicas: 1');

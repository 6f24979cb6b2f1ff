import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../cli.ts';
import { dataCentre, type DataCentre } from '../data-centre.ts';

/** Something that is begun on a small cluster, killed, and begun again. */
export type Story = {
  readonly name: string;
  /** Brings the data centre to where the story begins. */
  readonly before: (here: DataCentre) => Promise<void>;
  readonly words: readonly string[];
};

const worked = async (run: ReturnType<DataCentre['up']>): Promise<void> => {
  const { status, stdout, stderr } = await run;
  if (status !== 0) throw new Error(`exit ${status}\n${stdout}\n${stderr}`);
};

export const stories: readonly Story[] = [
  { name: 'up', before: async () => undefined, words: ['up', '--yes'] },
  {
    name: 'scale',
    before: async (here) => {
      await worked(here.up());
      here.edit([/general: \{ replicas: 1/, 'general: { replicas: 2']);
    },
    words: ['up', '--yes'],
  },
  {
    name: 'scale down',
    before: async (here) => {
      here.edit([/general: \{ replicas: 1/, 'general: { replicas: 2']);
      await worked(here.up());
      here.edit([/general: \{ replicas: 2/, 'general: { replicas: 1']);
    },
    words: ['up', '--yes'],
  },
  {
    name: 'config change',
    before: async (here) => {
      await worked(here.up());
      here.edit([/( +)cni: /, '$1sysctls: { vm.max_map_count: "262144" }\n$&']);
    },
    words: ['up', '--yes'],
  },
  { name: 'destroy', before: (here) => worked(here.up()), words: ['destroy', '--yes'] },
];

export const aSmallPlace = (): Promise<DataCentre> => dataCentre({ small: true, speed: 100 });

/** Runs the story’s command, killed at a place of its journal; how it ended. */
export const killedAt = (here: DataCentre, words: readonly string[], at: string): Promise<'killed' | 'ended'> =>
  new Promise((resolve, reject) => {
    const preload = `file://${join(root, 'test/crash/kill-at.mjs')}`;
    const child = spawn(process.execPath, ['--import', preload, join(root, 'dist/ichor.js'), ...words], {
      cwd: here.folder,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], CI: '1', KILL_AT: at },
      stdio: 'ignore',
    });
    child.on('error', reject).on('exit', (_, signal) => resolve(signal === 'SIGKILL' ? 'killed' : 'ended'));
  });

/** How many lines the newest journal has. */
export function journalLines(here: DataCentre): number {
  const runs = join(here.folder, '.ichor/default/runs');
  const newest = existsSync(runs) ? readdirSync(runs).toSorted().at(-1) : undefined;
  return newest === undefined ? 0 : readFileSync(join(runs, newest), 'utf8').trim().split('\n').length;
}

/** Everything that must be the same in the end, whatever happened on the way. */
export function endOf(here: DataCentre): unknown {
  const secrets = readFileSync(join(here.folder, 'talos/secrets.yaml'), 'utf8');
  return {
    vms: here.lab.proxmox
      .vms()
      .map(({ vmid, host, running, config }) => [
        vmid,
        host,
        running,
        config['name'],
        config['net0'],
        config['smbios1'],
      ]),
    nodes: here.nodes(),
    identity: createHash('sha256').update(secrets).digest('hex').slice(0, 8),
    files: readdirSync(join(here.folder, 'talos')).toSorted(),
  };
}

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '../folder.ts';
import { peerProgram } from './peers.ts';

/** The real talosctl in an empty folder of its own, with no home to find anything in. */
export type Talosctl = {
  /** What it printed; a refusal is an error with its words. */
  readonly run: (...args: readonly string[]) => string;
  readonly read: (name: string) => string;
  readonly write: (name: string, text: string) => void;
};

export async function talosctl(cwd = folder()): Promise<Talosctl> {
  const program = await peerProgram('talosctl');
  return {
    run: (...args) => {
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd,
        env: { HOME: cwd, PATH: process.env['PATH'] },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`talosctl ${args[0]} ${args[1]}: ${stderr}`);
      return stdout;
    },
    read: (name) => readFileSync(join(cwd, name), 'utf8'),
    write: (name, text) => writeFileSync(join(cwd, name), text, { mode: 0o600 }),
  };
}

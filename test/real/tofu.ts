import { spawn } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { peerProgram } from './peers.ts';

/** The real OpenTofu with the real Proxmox provider, in a folder of its own; nothing is fetched from any registry. */
export type Tofu = {
  readonly folder: string;
  /** What it printed; a failure is an error with its words. */
  readonly run: (...args: readonly string[]) => Promise<string>;
  /** The exit code as well, for commands that say something with it. */
  readonly ask: (...args: readonly string[]) => Promise<{ readonly code: number | null; readonly output: string }>;
};

const providerVersion = '0.106.0';

export async function tofu(
  folder: string,
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): Promise<Tofu> {
  const [program, provider] = await Promise.all([peerProgram('tofu'), peerProgram('terraform-provider-proxmox')]);
  const place = join(folder, 'mirror/registry.opentofu.org/bpg/proxmox', providerVersion, 'linux_amd64');
  mkdirSync(place, { recursive: true });
  putThere(provider, join(place, `terraform-provider-proxmox_v${providerVersion}`));
  writeFileSync(
    join(folder, 'tofu.rc'),
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(join(folder, 'mirror'))}\n  }\n}\ndisable_checkpoint = true\n`,
  );
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    TF_CLI_CONFIG_FILE: join(folder, 'tofu.rc'),
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
    ...environment,
  };
  // The twin lives in this process: nothing here may stand still while tofu runs.
  const ask: Tofu['ask'] = (...args) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, [...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
      child.on('error', reject).on('close', (code) => resolve({ code, output }));
    });
  const run: Tofu['run'] = async (...args) => {
    const { code, output } = await ask(...args);
    if (code !== 0) throw new Error(`tofu ${args.join(' ')} ended with ${code}:\n${output}`);
    return output;
  };
  await run('init', '-no-color');
  return { folder, run, ask };
}

/** A hard link where the file system allows it: the program is large. */
function putThere(program: string, path: string): void {
  try {
    linkSync(program, path);
  } catch {
    copyFileSync(program, path);
  }
}

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = import.meta.dirname;

/** HashiCorp's own HCL parser as a program. Built once for what it is made of, and kept in the user's cache. */
export function buildHclJudge(): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'main.go']) hash.update(readFileSync(join(folder, file)));
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'ichor', 'real', 'bin');
  const program = join(cache, `hcl-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;

  mkdirSync(cache, { recursive: true });
  const beside = `${program}.${process.pid}`;
  const built = spawnSync('go', ['build', '-o', beside, '.'], { cwd: folder, encoding: 'utf8' });
  if (built.error)
    throw new Error('This test compares with HashiCorp’s HCL parser and needs Go (https://go.dev/dl) on the PATH.', {
      cause: built.error,
    });
  if (built.status !== 0) throw new Error(`go build in test/real/hcl failed:\n${built.stderr}`);
  renameSync(beside, program);
  return program;
}

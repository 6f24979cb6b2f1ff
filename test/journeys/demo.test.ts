import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ichorBeside, root } from '../cli.ts';
import { folderForAll } from '../folder.ts';

describe('ichor demo', () => {
  const place = folderForAll();
  const env = { TMPDIR: place, XDG_STATE_HOME: join(place, 'state'), HOME: place };
  const left = (): readonly string[] => readdirSync(place).filter((name) => name.startsWith('ichor-demo-'));
  const nothingLeft = async (): Promise<void> => {
    expect([left(), existsSync(join(place, 'state/ichor'))]).toEqual([[], false]);
    const { stdout } = await ichorBeside(['lab', 'status'], { env });
    expect(stdout).toMatch(/^No lab runs/);
  };
  afterAll(() => ichorBeside(['lab', 'stop', '--all'], { env }));

  test('six nodes, a second up with nothing to do, and nothing is left', { timeout: 120_000 }, async () => {
    const { status, stdout, stderr } = await ichorBeside(['demo'], { env });
    expect({ status, ...(status === 0 ? {} : { stdout, stderr }) }).toEqual({ status: 0 });
    const order = [
      '$ ichor place',
      '6 machines on 3 hosts: fits',
      '$ ichor up --yes',
      'Done: demo is as the file says.',
      '$ ichor up --yes',
      'Nothing to do: demo is as the file says.',
      'talos/kubeconfig get nodes',
      'talos/talosconfig health',
      '$ ichor destroy --yes',
      'Done: demo is gone.',
      'The lab is gone, and so is its folder.',
    ];
    let from = 0;
    for (const words of order) {
      const at = stdout.indexOf(words, from);
      expect(at, `${words}\n${stdout.slice(from)}`).toBeGreaterThanOrEqual(0);
      from = at + words.length;
    }
    expect(stdout).toContain('wait until 6 nodes are Ready');
    await nothingLeft();
  });

  test('stopped in the middle, nothing is left either', { timeout: 120_000 }, async () => {
    const child = spawn(process.execPath, [`${root}dist/ichor.js`, 'demo'], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (!said.includes(': create') && `${said}${text}`.includes('begins  demo-cp-0: create')) child.kill('SIGINT');
      said += text;
    });
    expect([await ended, said]).toEqual([130, expect.stringContaining('The lab is gone')]);
    await nothingLeft();
  });

  test('a lab that cannot start says why, and nothing is left', async () => {
    writeFileSync(join(place, 'taken'), '');
    const { status, stderr } = await ichorBeside(['demo'], { env: { ...env, XDG_STATE_HOME: join(place, 'taken') } });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: The folder "[^"]+" cannot be made \(ENOTDIR\)/),
    ]);
    expect(left()).toEqual([]);
  });

  /** What it tells people to type, typed somewhere else. */
  const typed = (line: string) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
      cwd: place,
      encoding: 'utf8',
      env: { PATH: `${join(root, 'bin')}:${process.env['PATH']}`, ...env },
    });
    return { line, status, said: `${stdout}${stderr}` };
  };

  test(
    'kept: it stays up whatever variables say, and what it tells one to type is true anywhere',
    { timeout: 120_000 },
    async () => {
      const ofOthers = {
        ICHOR_FILE: join(place, 'nobody.yaml'),
        ICHOR_ONLY: 'prod',
        ICHOR_WORKSPACE: 'prod',
        ICHOR_OUTPUT: 'jsonl',
        ICHOR_TIMEOUT: '1ms',
      };
      const { status, stdout, stderr } = await ichorBeside(['demo', '--keep'], { env: { ...env, ...ofOthers } });
      expect({ status, stderr }).toMatchObject({ status: 0 });
      const [folder = ''] = left();
      expect(stdout).toContain(`Its platform in one file: ${join(place, folder, 'platform.yaml')}\n`);
      const look = /^ {2}(\(cd .* ichor verify\))$/m.exec(stdout)?.[1] ?? '';
      expect(typed(look)).toMatchObject({ line: `(cd ${join(place, folder)} && ichor verify)`, status: 0 });
      const ends = stdout.slice(stdout.indexOf('Everything stays up')).match(/^ {2}.*$/gm) ?? [];
      const { stdout: labs } = await ichorBeside(['lab', 'status', '-o', 'json'], { env });
      const { clusters } = (JSON.parse(labs) as { labs: { clusters: { nodes: { ready: boolean }[] }[] }[] })
        .labs[0] ?? {
        clusters: [],
      };
      expect(clusters[0]?.nodes.map(({ ready }) => ready)).toEqual(Array.from({ length: 6 }, () => true));
      for (const line of ends) expect(typed(line.trim())).toMatchObject({ status: 0 });
      expect(ends.map((line) => line.trim())).toEqual([
        `(cd ${join(place, folder)} && ichor destroy --yes)`,
        'ichor lab stop --name demo',
        `rm -r ${join(place, folder)}`,
      ]);
      await nothingLeft();
    },
  );
});

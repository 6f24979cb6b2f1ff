import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stateOf } from '../../../src/cli/lab-state.ts';
import { dataCentre, type DataCentre } from '../../data-centre.ts';

const six = ['lab-cp-0', 'lab-cp-1', 'lab-cp-2', 'lab-general-0', 'lab-general-1', 'lab-general-2'];
const allReady = Object.fromEntries(six.map((name) => [name, true]));

/** From an empty data centre to a cluster, and back. */
describe('one command up, one command down', () => {
  let here: DataCentre;
  beforeAll(async () => {
    here = await dataCentre({ fresh: true });
  });
  afterAll(() => here[Symbol.asyncDispose]());

  test('a plan says what would be done, and writes nothing', async () => {
    const { status, stdout, stderr } = await here.ichor(['plan', '--detailed-exitcode']);
    expect([status, stderr]).toEqual([2, expect.not.stringContaining('error')]);
    expect(stdout).toContain('lab-cp-0');
    expect(here.writes()).toEqual([]);
    expect([existsSync(join(here.folder, 'talos')), existsSync(join(here.folder, '.ichor'))]).toEqual([false, false]);
  });

  test('up makes the machines and the cluster, and all nodes are Ready', async () => {
    const { status, stdout, stderr } = await here.up();
    expect({ status, stderr, tail: stdout.split('\n').slice(-5) }).toMatchObject({ status: 0 });
    expect(here.nodes()).toEqual(allReady);
    expect(stateOf(here.lab, []).clusters.map(({ nodes }) => nodes.length)).toEqual([6]);
    expect(Object.values(here.vms()).toSorted()).toEqual(six);
  });

  test('files for people are there, and only their owner reads them', () => {
    const mode = (path: string): number => statSync(join(here.folder, path)).mode & 0o777;
    const files = ['talosconfig', 'kubeconfig', 'control-plane.yaml', 'worker.yaml', 'secrets.yaml'];
    expect(files.map((file) => mode(`talos/${file}`))).toEqual(files.map(() => 0o600));
    expect(readFileSync(join(here.folder, 'talos/kubeconfig'), 'utf8')).toContain(`https://${here.address(130)}:6443`);
  });

  test('a second up has nothing to do, and changes nothing', async () => {
    here.writes();
    const { status, stdout } = await here.up();
    expect([status, stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
    expect(here.writes()).toEqual([]);
  });

  test('destroy leaves the lab empty, and the identity stays', async () => {
    const before = readFileSync(join(here.folder, 'talos/secrets.yaml'), 'utf8');
    const { status, stderr } = await here.destroy();
    expect([status, stderr]).toEqual([0, '']);
    expect(here.vms()).toEqual({});
    expect(readFileSync(join(here.folder, 'talos/secrets.yaml'), 'utf8')).toBe(before);
  });

  test('machines of the same names are no cluster yet, for whoever looks at the lab', async () => {
    expect((await here.up('--target', 'machines')).status).toBe(0);
    expect(Object.values(here.vms()).toSorted()).toEqual(six);
    expect(stateOf(here.lab, []).clusters).toEqual([]);
  });

  test('up after destroy gives the same cluster again', async () => {
    const before = readFileSync(join(here.folder, 'talos/secrets.yaml'), 'utf8');
    expect((await here.up()).status).toBe(0);
    expect(readFileSync(join(here.folder, 'talos/secrets.yaml'), 'utf8')).toBe(before);
    expect(here.nodes()).toEqual(allReady);
  });
});

import { expect, test } from 'vitest';
import { dataCentre } from '../../data-centre.ts';

test('another Kubernetes, another size, a sysctl and one worker more, all in one edit', async () => {
  await using here = await dataCentre({ small: true });
  here.edit([/( +)endpoint: \{ vip/, '$1kubernetes: { version: v1.35.2 }\n$&']);
  expect((await here.up()).status).toBe(0);
  here.edit(
    [/v1\.35\.2/, 'v1.36.3'],
    [/general: \{ replicas: 1, cpu: 4, memory: 8GiB/, 'general: { replicas: 2, cpu: 2, memory: 12GiB'],
    [/( +)cni: /, '$1sysctls: { vm.max_map_count: "262144" }\n$&'],
  );
  const { status, stdout, stderr } = await here.up();
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('lab-general-1: it joins when all control planes run Kubernetes v1.36.3');
  const steps = [
    'lab-cp-0: configuration',
    'lab-cp-0: wait until its kubelet works',
    'lab-general-0: configuration',
    'lab-general-0: resize',
    'lab-general-0: wait until lab-general-0 is Ready',
    'lab-general-1: create',
    'lab-general-1: first configuration',
  ];
  const places = steps.map((step) => stdout.indexOf(`done    ${step}`));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(here.nodes()).toEqual({ 'lab-cp-0': true, 'lab-general-0': true, 'lab-general-1': true });
  expect((await here.up()).stdout).toContain('Nothing to do');
  expect(await here.ichor(['verify'])).toMatchObject({ status: 0 });
});

import { expect, test } from 'vitest';
import { aVm } from '../../../../../test/proxmox-vm.ts';

const interfaces = 'GET /agent/network-get-interfaces';

test('the agent says what the guest has', async () => {
  using lab = await aVm(
    { agent: 'enabled=1', name: 'machine', net0: 'virtio=BC:24:11:00:00:0A,bridge=vmbr0' },
    { runs: true },
  );
  expect(await lab.on('POST /agent/ping')).toEqual({ result: {} });
  const counters = ['bytes', 'dropped', 'errs', 'packets'].flatMap((kind) => [`rx-${kind}`, `tx-${kind}`]);
  const answer = {
    result: [
      {
        name: 'eth0',
        'hardware-address': 'bc:24:11:00:00:0a',
        'ip-addresses': [{ 'ip-address': '192.0.2.1', 'ip-address-type': 'ipv4', prefix: 24 }],
        statistics: Object.fromEntries(counters.map((counter) => [counter, 0])),
      },
    ],
  };
  expect(await lab.on(interfaces)).toEqual(answer);
  expect(await lab.on('POST /agent', { command: 'network-get-interfaces' })).toEqual(answer);
  expect(await lab.on('GET /agent/get-host-name')).toEqual({ result: { 'host-name': 'machine' } });
  expect(await lab.on('GET /agent/get-osinfo')).toEqual({ result: { id: 'puppet' } });
  expect(await lab.on('POST /agent/fsfreeze-status')).toEqual({ result: 'thawed' });
});

test('what the agent cannot do is a result, or a refusal, by the call', async () => {
  using lab = await aVm({ agent: 1 }, { runs: true });
  expect(await lab.on('POST /agent/suspend-disk')).toEqual({
    result: { error: { class: 'GenericError', desc: "suspend: cannot write to '/sys/power/state': No such device" } },
  });
  expect(await lab.not('POST /agent/exec', { command: 'ls' })).toBe(
    "Agent error: Guest agent command failed, error was 'Failed to execute child process “ls” (No such file or directory)'",
  );
  expect(await lab.not('GET /agent/exec-status', { pid: 7 })).toBe('Agent error: PID ld does not exist');
  expect(await lab.not('GET /agent/file-read', { file: '/x' })).toBe(
    "Agent error: failed to open file '/x' (mode: 'r'): No such file or directory",
  );
});

test('who does not answer is waited for, unless there is nobody to answer', async () => {
  using lab = await aVm({ agent: 1 });
  expect(await lab.not(interfaces)).toBe('VM 100 is not running');
  await lab.ends('POST /status/start');
  const [guest] = lab.started;
  if (guest !== undefined) guest.answers = false;
  const took = async (): Promise<[string, number]> => {
    const before = lab.clock.now().getTime();
    return [await lab.not(interfaces), Math.floor((lab.clock.now().getTime() - before) / 1000)];
  };
  expect(await took()).toEqual(['QEMU guest agent is not running', 3]);
  if (guest !== undefined) guest.answers = true;
  await lab.ends('POST /status/suspend');
  expect(await took()).toEqual(['QEMU guest agent is not running', 3]);
  await lab.ends('POST /status/resume');
  // The port is there from one cold start to the next, whatever the configuration says meanwhile.
  await lab.on('PUT /config', { agent: 0 });
  expect(await lab.not(interfaces)).toBe('no refusal');
  await lab.ends('POST /status/stop');
  await lab.ends('POST /status/start');
  expect(await took()).toEqual(['QEMU guest agent is not running', 0]);
  await lab.on('PUT /config', { delete: 'agent' });
  await lab.ends('POST /status/stop');
  expect(await lab.not(interfaces)).toBe('No QEMU guest agent configured');
});

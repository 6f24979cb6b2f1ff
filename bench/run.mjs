// Every claim about speed, measured in one run: each line is a ratio or has its budget, and a broken budget fails.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bringUps, emptyForMany } from './bring-up.mjs';
import { capmox724, fiveHundred, hundred } from './files.mjs';
import { cold, ichor, ratio, scratch } from './measure.mjs';
import { talosClient } from './talos-client.mjs';

const lines = [];
let broken = 0;
const claim = (what, measured, budget, detail = '') => {
  const { most, limit = most, show } = budget;
  const verdict = measured <= most ? 'kept' : measured <= limit ? 'OPEN' : 'BROKEN';
  if (verdict === 'BROKEN') broken++;
  lines.push([what, show(measured), `≤ ${show(most)}`, verdict, detail]);
};
/** A budget that is not reached everywhere yet: beyond it is said, beyond the limit is a regression. */
const goal = (budget, limit) => ({ ...budget, limit });
const times = (most) => ({ most, show: (value) => `${value.toFixed(2)}x` });
const seconds = (most) => ({ most, show: (value) => `${value.toFixed(2)} s` });
const mebibytes = (most) => ({ most, show: (value) => `${Math.round(value)} MiB` });

const help = ratio([ichor, '--help'], ['-e', '0']);
claim(
  'ichor --help, over node -e 0',
  help.ratio,
  times(3),
  `${help.ms.toFixed(0)} ms over ${help.overMs.toFixed(0)} ms`,
);

writeFileSync(`${scratch}hundred.yaml`, hundred());
const validate = ratio([ichor, 'validate', '-f', `${scratch}hundred.yaml`], ['-e', '0']);
claim(
  'ichor validate of 100 nodes, over node -e 0',
  validate.ratio,
  times(6),
  `${validate.ms.toFixed(0)} ms over ${validate.overMs.toFixed(0)} ms`,
);

writeFileSync(`${scratch}five-hundred.yaml`, fiveHundred());
const runs = Array.from({ length: 3 }, () =>
  cold([ichor, 'place', '-f', `${scratch}five-hundred.yaml`, '--output', 'json']),
);
const best = runs.reduce((one, other) => (other.ms < one.ms ? other : one));
const machines = JSON.parse(best.stdout).machines.length;
claim(`parse and place ${machines} machines on 20 hosts, cold`, best.ms / 1000, seconds(1), 'fastest of 3');
claim('the same, memory', Math.max(...runs.map(({ rssMiB }) => rssMiB)), mebibytes(150), 'most of 3');

const plans = await emptyForMany((platform) =>
  Array.from({ length: 3 }, () => cold([ichor, 'plan', '-f', platform, '--output', 'json'])),
);
const quickest = plans.reduce((one, other) => (other.ms < one.ms ? other : one));
const steps = JSON.parse(quickest.stdout).steps.length;
claim(
  'ichor plan of 500 machines on 20 hosts, cold',
  quickest.ms / 1000,
  goal(seconds(1), 3),
  `${steps} steps; fastest of 3`,
);
claim('the same, memory', Math.max(...plans.map(({ rssMiB }) => rssMiB)), goal(mebibytes(150), 250), 'most of 3');
const planner = JSON.parse(cold([fileURLToPath(new URL('planner.mjs', import.meta.url))]).stdout);
claim('the planner alone, nothing is there', planner.first.ms / 1000, seconds(1), `${planner.first.steps} steps`);
claim('the planner alone, all 500 are there', planner.again.ms / 1000, seconds(1), `${planner.again.steps} steps`);

const { file, cores } = capmox724();
writeFileSync(`${scratch}capmox.yaml`, file);
const proof = JSON.parse(cold([ichor, 'place', '-f', `${scratch}capmox.yaml`, '--output', 'json']).stdout);
const vcpu = proof.machines.reduce((total, { cpu }) => total + cpu, 0);
const perHost = new Map();
for (const { host, cpu } of proof.machines) perHost.set(host, (perHost.get(host) ?? 0) + cpu);
const overcommit = 4;
const fullest = Math.max(...proof.hosts.map(({ name, cpu }) => (perHost.get(name) ?? 0) / (cpu.capacity / overcommit)));
claim(
  `CAPMOX 724: ${proof.machines.length} VMs, ${vcpu} vCPU: fullest host over the lower bound`,
  fullest / (vcpu / cores),
  times(1.05),
  `${fullest.toFixed(3)} over ${(vcpu / cores).toFixed(3)} vCPU per core`,
);

const { calls, handshakes } = await talosClient();
const perCpuSecond = ({ ours, bare }) => `${Math.round(ours)} over ${Math.round(bare)} per second of CPU, both ends`;
claim('Talos client: cost of a call, over bare HTTP/2', calls.ratio, times(8), perCpuSecond(calls));
claim(
  'Talos client: connect, ask once and close, over bare TLS',
  handshakes.ratio,
  times(2.5),
  perCpuSecond(handshakes),
);

const twins = JSON.parse(cold([fileURLToPath(new URL('talos-twin.mjs', import.meta.url)), '1000']).stdout);
claim(
  '1,000 Talos twins in one process, each called once: memory',
  twins.rssMiB,
  mebibytes(1536),
  `in maintenance mode after ${twins.startSeconds.toFixed(1)} s; ${twins.handshakes.toFixed(0)} handshakes/s, ${twins.calls.toFixed(0)} unary calls/s`,
);

const vms = JSON.parse(cold([fileURLToPath(new URL('lab-vms.mjs', import.meta.url)), '1000']).stdout);
claim(
  'a lab with 1,000 VMs on 20 hosts, a Talos in each: memory',
  vms.rssMiB,
  mebibytes(768),
  `${Math.round(vms.emptyMiB)} MiB without VMs; made and booted through the API in ${vms.seconds.toFixed(1)} s at speed 50, then ${vms.idlePercent.toFixed(1)} % of a core`,
);

const proxmox = JSON.parse(cold([fileURLToPath(new URL('proxmox-twin.mjs', import.meta.url))]).stdout);
claim(
  'Proxmox twin: time of a call, over bare HTTPS with the same answer',
  proxmox.bare / proxmox.twin,
  times(6),
  `${proxmox.twin.toFixed(0)} over ${proxmox.bare.toFixed(0)} requests/s, both ends in one process`,
);
// What bpg/proxmox 0.106 was seen to make on the real API for the same; test/real/proxmox-calls.test.ts lets it do so in one run.
const bpg = { create: 8, unchanged: 5, destroy: 10 };
const callsEach = (most) => ({ most, show: (value) => `${value}` });
for (const [what, title] of Object.entries({
  create: 'made, not started',
  unchanged: 'looked at, unchanged',
  destroy: 'deleted',
})) {
  const { perMachine, constant } = proxmox.calls[what];
  const budget = what === 'unchanged' ? 1 : bpg[what] - 1;
  claim(
    `Proxmox provider: calls per machine ${title}`,
    perMachine,
    callsEach(budget),
    `${constant} besides; bpg ${bpg[what]}`,
  );
}

const kubernetes = JSON.parse(
  cold(['--expose-gc', fileURLToPath(new URL('kubernetes-twin.mjs', import.meta.url))]).stdout,
);
claim(
  `Kubernetes twin: list ${kubernetes.objects} objects, over bare HTTPS with the same answer`,
  kubernetes.listMs / kubernetes.bareMs,
  times(20),
  `${kubernetes.listMs.toFixed(0)} over ${kubernetes.bareMs.toFixed(0)} ms, ${kubernetes.listMiB.toFixed(1)} MiB`,
);
claim(
  `Kubernetes twin: one change told to ${kubernetes.watches} watches, over a list of ${kubernetes.objects}`,
  kubernetes.fanOutMs / kubernetes.listMs,
  times(3),
  `${kubernetes.fanOutMs.toFixed(0)} ms; ${kubernetes.applied} objects applied in ${kubernetes.applyMs.toFixed(0)} ms`,
);
claim(
  `Kubernetes twin: memory of an empty cluster, of ${kubernetes.clusters} in one process`,
  kubernetes.perCluster,
  mebibytes(4),
  `${kubernetes.perCluster.toFixed(2)} MiB each`,
);

const { floorMs, six, many, looks, down } = await bringUps();
const over = (ms) => `${(ms / 1000).toFixed(1)} s over ${(floorMs / 1000).toFixed(1)} s`;
claim('ichor up of 3+3 on 3 hosts, over the critical path', six.ms / floorMs, goal(times(1.05), 1.5), over(six.ms));
claim('ichor up of 3+100 on 20 hosts, over the critical path', many.ms / floorMs, goal(times(1.05), 2), over(many.ms));
const look = looks.reduce((one, other) => (other.ms < one.ms ? other : one));
claim(
  'ichor up of 3+100 with nothing to do, every answer 20 ms late',
  look.ms / 1000,
  goal(seconds(3), 15),
  `${look.totals.requests} calls; fastest of ${looks.length}`,
);
const written = looks.reduce((sum, { totals, unchanged }) => sum + totals.writes + (unchanged ? 0 : 1), 0);
claim('the same, calls that would change something', written, callsEach(0));
claim(
  'ichor destroy of 3+100, over its critical path',
  down.ms / down.floorMs,
  goal(times(8), 40),
  `${(down.ms / 1000).toFixed(1)} s`,
);

const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column].length)));
for (const [what, measured, budget, verdict, detail] of lines) {
  console.log(
    `${what.padEnd(widths[0])}  ${measured.padStart(widths[1])}  ${budget.padEnd(widths[2])}  ${verdict.padEnd(widths[3])}  ${detail}`,
  );
}
process.exitCode = broken === 0 ? 0 : 1;

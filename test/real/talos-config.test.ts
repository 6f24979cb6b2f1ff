import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Platform } from '../../src/spec/platform.ts';
import { contractOf, contracts, type Contract } from '../../src/talos/config/contract.ts';
import type { MachineConfig } from '../../src/talos/config/document.ts';
import { renderConfigs } from '../../src/talos/config/render.ts';
import { configText } from '../../src/talos/config/text.ts';
import type { SecretsBundle } from '../../src/talos/secrets/bundle.ts';
import { newSecrets } from '../../src/talos/secrets/new.ts';
import { parseVersion } from '../../src/model/version.ts';
import { anyTalosFile } from '../arbitrary/talos-platforms.ts';
import { seededEntropy, testClock } from '../entropy.ts';
import { folder as emptyFolder } from '../folder.ts';
import { sweep } from '../sweep.ts';
import { platformOf, requestFor } from '../talos-configs.ts';
import { ask, buildJudges, judged, type Answer, type Mode } from './machinery.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';

const run = promisify(execFile);
const perContract = 40;

type Judged = {
  readonly contract: Contract;
  readonly version: string;
  readonly what: string;
  readonly config: MachineConfig;
  readonly text: string;
  readonly modes: readonly Mode[];
};

let talosctl: string;
let secrets: SecretsBundle;
let configs: readonly Judged[];
let specs = 0;

beforeAll(async () => {
  talosctl = await peerProgram('talosctl');
  await buildJudges();
  secrets = await newSecrets(seededEntropy('talos-config'), testClock, '1.13');
  const { seed } = sweep(
    'specs rendered for every contract',
    perContract * contracts.length,
    perContract * contracts.length,
  );
  const files = contracts.flatMap((contract) => fc.sample(anyTalosFile(contract), { numRuns: perContract, seed }));
  specs = files.length;
  configs = files.flatMap((file, index) => judgedOf(platformOf(JSON.stringify(file)), index));
}, buildTimeoutMs);

/** Both role configurations, and those of the first machine of each group. */
function judgedOf(platform: Platform, index: number): readonly Judged[] {
  const { version } = platform.cluster.talos;
  const parsed = parseVersion(version);
  const contract = parsed && contractOf(parsed);
  if (contract === undefined) throw new Error(`${version} has no contract.`);
  const rendered = renderConfigs(requestFor(platform, secrets));
  const firsts = platform.machines.filter((machine) => machine.index === 0).map(({ name }) => name);
  const chosen = [
    ['control-plane', rendered.controlPlane] as const,
    ['worker', rendered.worker] as const,
    ...firsts.flatMap((name) => {
      const node = rendered.nodes.get(name);
      return node === undefined ? [] : [[name, node] as const];
    }),
  ];
  return chosen.map(([name, { config }]) => ({
    contract,
    version,
    what: `${version} spec ${index} ${name}`,
    config,
    text: configText(config),
    modes: installs(config) ? ['metal', 'cloud'] : ['cloud'],
  }));
}

/** On metal Talos wants to know the disk to install to; images of clouds carry it already. */
const installs = (config: MachineConfig): boolean =>
  config.some((document) => document['kind'] === 'UnattendedInstallConfig') ||
  /^ {8}disk(Selector)?:/m.test(configText(config));

/** On metal it asks for more than in a cloud, so that one verdict stands for both; the judges below give each. */
test('talosctl validates every configuration, strictly', async () => {
  const folder = emptyFolder();
  const accepted = configs.filter(({ contract }) => contract !== '1.14');
  const refusals: string[] = [];
  const queue = accepted.flatMap((each, index) =>
    each.modes.slice(0, 1).map((mode) => ({ ...each, mode, file: join(folder, `${index}.yaml`) })),
  );
  await Promise.all(accepted.map(({ text }, index) => writeFile(join(folder, `${index}.yaml`), text, { mode: 0o600 })));
  const worker = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { what, mode, file } = next;
      await run(talosctl, ['validate', '--strict', '--mode', mode, '--config', file]).catch(
        (error: { stderr: string }) => refusals.push(`${what} ${mode}: ${error.stderr}`),
      );
    }
  };
  const asked = queue.length;
  await Promise.all([worker(), worker()]);
  process.stderr.write(
    `talosctl: ${accepted.length} configurations of ${specs - perContract} specs, ${asked} verdicts\n`,
  );
  expect(refusals).toEqual([]);
}, 600_000);

// What a later patch release allows, its predecessor may refuse: the next minor knows both.
const judgeOf = ({ contract, version }: Judged): Contract => (version === 'v1.12.9' ? '1.13' : contract);

type Verdict = { readonly what: string; readonly config: MachineConfig; readonly answer: Answer };

const verdicts: Partial<Record<Contract, Promise<readonly Verdict[]>>> = {};
const verdictsOf = (contract: Contract): Promise<readonly Verdict[]> => (verdicts[contract] ??= judge(contract));

async function judge(contract: Contract): Promise<readonly Verdict[]> {
  const asked = configs
    .filter((each) => judgeOf(each) === contract)
    .flatMap(({ what, config, text, modes }) => modes.map((mode) => ({ what: `${what} ${mode}`, config, text, mode })));
  const answers = await ask(
    contract,
    asked.map(({ text, mode }) => ({ config: text, mode })),
  );
  process.stderr.write(`${judged[contract]}: ${answers.length} verdicts\n`);
  return asked.map(({ what, config }, index) => ({ what, config, answer: answers[index] ?? {} }));
}

test.each(contracts)(
  'Talos’ own types of %s know every key, and accept',
  async (contract) => {
    const given = await verdictsOf(contract);
    expect(given.length).toBeGreaterThanOrEqual(perContract);
    const refusals = given.flatMap(({ what, answer: { error, warnings = [] } }) =>
      [error, ...warnings].flatMap((refusal) => (refusal === undefined ? [] : [`${what}: ${refusal}`])),
    );
    expect(refusals).toEqual([]);
  },
  120_000,
);

test.each(contracts)('Talos’ own types of %s refuse what they do not know', async (contract) => {
  const text = configs.find((each) => judgeOf(each) === contract)?.text ?? '';
  const broken = [text.replace('persist: true', 'persists: true'), text.replace('type: controlplane', 'type: captain')];
  const answers = await ask(
    contract,
    broken.map((config) => ({ config, mode: 'cloud' as const })),
  );
  expect(answers.map(({ error = '' }) => /unknown keys|captain/.exec(error)?.[0])).toEqual(['unknown keys', 'captain']);
});

test.each(contracts)(
  'Talos of %s writes back what it read: nothing was lost on the way',
  async (contract) => {
    const once = (await verdictsOf(contract)).filter(({ what }) => what.endsWith('cloud'));
    for (const { what, config, answer } of once) {
      const theirs = parseAllDocuments(answer.encoded ?? '').map((document) => said(document.toJS()));
      expect({ what, documents: theirs }).toEqual({ what, documents: config.map(said) });
    }
  },
  120_000,
);

/** What a document says, keys and certificates by their hash, without what is empty: Talos leaves that out, or writes it where we do not. */
function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(said);
  if (typeof value === 'string' && value.length > 80) return createHash('sha256').update(value).digest('hex');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, said(each)] as const)
      .filter(([, each]) => !isEmpty(each)),
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

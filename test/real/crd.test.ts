import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { isError } from '../../src/model/problem.ts';
import { customResourceDefinitions } from '../../src/spec/crd.ts';
import { withDefaults } from '../../src/spec/defaults.ts';
import { kinds } from '../../src/spec/kinds.ts';
import { read } from '../../src/spec/read.ts';
import { platformSpec } from '../../src/spec/schema/platform.ts';
import { substrateSpec } from '../../src/spec/schema/substrate.ts';
import { platforms, substrates } from '../documents.ts';
import { mutated } from '../mutations.ts';
import { sweep } from '../sweep.ts';
import { startKube, type Answer, type Kube } from './kube.ts';
import { buildTimeoutMs } from './peers.ts';
import { brokenForms, brokenRules, type Refusal } from './refusals.ts';

type Resource = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: unknown;
};

const documents: Readonly<Record<string, string>> = { ...platforms, ...substrates };
const resource = (text: string): Resource => parse(text) as Resource;

let kube: Kube;

beforeAll(async () => {
  kube = await startKube();
}, 3 * buildTimeoutMs);

afterAll(async () => {
  await kube[Symbol.asyncDispose]();
});

const collection = ({ apiVersion, kind }: Resource): string =>
  `/apis/${apiVersion}/namespaces/default/${kind.toLowerCase()}s`;

/** What the server would make of it; nothing is kept, and fields that it does not know are errors. */
const dryRun = (document: Resource): Promise<Answer> =>
  kube.request('POST', `${collection(document)}?dryRun=All&fieldValidation=Strict`, document);

const ichor = async (...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)('node', ['dist/ichor.js', ...args], { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
};

const done = { code: 0, stderr: '' };

describe('the definitions', () => {
  test('a real API server takes them all without a warning', async () => {
    const applied = await kube.kubectl(['apply', '-f', '-'], await ichor('schema', '--crd'));
    expect(applied).toMatchObject(done);
    expect(applied.stdout.trim().split('\n')).toEqual(
      customResourceDefinitions().map(
        ({ metadata }) => `customresourcedefinition.apiextensions.k8s.io/${metadata.name} created`,
      ),
    );
  });

  test.each(customResourceDefinitions().map(({ metadata }) => metadata.name))(
    '%s is established, and its schema is structural',
    async (name) => {
      const expected = { NamesAccepted: 'True', Established: 'True' };
      const deadline = Date.now() + 30_000;
      let found = await conditionsOf(name);
      while (found['Established'] !== 'True' && Date.now() < deadline) {
        await sleep(100);
        found = await conditionsOf(name);
      }
      // NonStructuralSchema and KubernetesAPIApprovalPolicyConformant would stand here.
      expect(found).toEqual(expected);
    },
  );

  test('the same list as JSON changes nothing', async () => {
    const applied = await kube.kubectl(['apply', '-f', '-'], await ichor('schema', '--crd', '--output', 'json'));
    expect(applied).toMatchObject(done);
    expect(
      applied.stdout
        .trim()
        .split('\n')
        .every((line) => line.endsWith(' unchanged')),
    ).toBe(true);
  });
});

async function conditionsOf(name: string): Promise<Record<string, string>> {
  const { body } = await kube.request('GET', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`);
  const { status } = body as { status: { conditions?: readonly { type: string; status: string }[] } };
  return Object.fromEntries((status.conditions ?? []).map((condition) => [condition.type, condition.status]));
}

describe('what is right', () => {
  test.each(Object.entries(documents))('%s is taken, with the defaults that ichor fills', async (_, text) => {
    const written = resource(text);
    const { status, body } = await dryRun(written);
    expect(status, JSON.stringify(body)).toBe(201);
    const { spec } = body as Resource;
    expect(spec).toEqual(withDefaults(written.kind === 'Platform' ? platformSpec : substrateSpec, written.spec));
  });

  test.each(Object.entries(documents))('%s reads back as the same', async (_, text) => {
    const { body } = await dryRun(resource(text));
    const settled = (content: string) => {
      const { platforms: found, substrates: clouds, problems } = read({ sources: [{ name: 'a', content }] });
      return { found, clouds, problems: problems.map(({ message }) => message) };
    };
    expect(settled(JSON.stringify(body))).toEqual(settled(text));
  });
});

type Cause = { readonly field: string; readonly message: string };

const causesOf = ({ body }: Answer): readonly Cause[] =>
  (body as { details?: { causes?: readonly Cause[] } }).details?.causes?.map(({ field, message }) => ({
    field,
    message,
  })) ?? [];

const broken = ({ base, change }: Refusal): Resource => {
  const document = resource(documents[base] ?? '');
  return { ...document, spec: overlaid(document.spec, parse(change) as unknown) };
};

function overlaid(base: unknown, over: unknown): unknown {
  const isMap = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap(base) || !isMap(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === null) delete merged[key];
    else merged[key] = overlaid(merged[key], value);
  }
  return merged;
}

describe('what is wrong', () => {
  test.each(brokenRules)('$what is refused, with what to do', async (refusal) => {
    const answer = await dryRun(broken(refusal));
    expect(answer.status, JSON.stringify(answer.body)).toBe(422);
    expect(causesOf(answer)).toEqual([{ field: refusal.field, message: `Invalid value: ${refusal.message}` }]);
  });

  test.each(brokenForms)('$what is refused', async (refusal) => {
    const answer = await dryRun(broken(refusal));
    expect(answer.status, JSON.stringify(answer.body)).toBe(422);
    expect(causesOf(answer)).toContainEqual({ field: refusal.field, message: refusal.message });
  });

  test.each([...brokenRules, ...brokenForms])('ichor refuses $what too', (refusal) => {
    const content = JSON.stringify(broken(refusal));
    expect(read({ sources: [{ name: 'it.json', content }] }).problems.filter(isError)).not.toEqual([]);
  });

  test('an even number of control planes of a KubernetesCluster', async () => {
    const cluster = resource(await readFile('examples/viti/dhcp/cluster-one-pool.yaml', 'utf8'));
    const two = overlaid(cluster, { spec: { topology: { controlplane: { replicas: 2 } } } }) as Resource;
    expect(causesOf(await dryRun(two))).toEqual([
      {
        field: 'spec.topology.controlplane.replicas',
        message: 'Invalid value: 2: the number of control plane replicas must be odd',
      },
    ]);
  });

  test('every rule is broken at least once above', () => {
    const tried = new Set([
      ...brokenRules.map(({ message }) => message),
      'the number of control plane replicas must be odd',
    ]);
    const rules = customResourceDefinitions().flatMap((definition) => messagesIn(definition));
    expect(rules.length).toBeGreaterThan(40);
    expect([...new Set(rules)].filter((message) => !tried.has(message))).toEqual([]);
  });

  test('an unknown field is refused by kubectl, which checks strictly', async () => {
    const { code, stderr } = await kube.kubectl(
      ['apply', '--dry-run=server', '-f', '-'],
      platforms.minimal.replace('hosts:', 'host:'),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('unknown field "spec.machines.proxmox.host"');
  });
});

function messagesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => messagesIn(item));
  const { 'x-kubernetes-validations': rules = [], ...rest } = value as Record<string, unknown>;
  const own = (rules as readonly { message: string }[]).map(({ message }) => message);
  return [...own, ...Object.values(rest).flatMap((item) => messagesIn(item))];
}

test('what ichor accepts the API server accepts, and what the API server refuses ichor refuses', async () => {
  const counts = { both: 0, neither: 0, ichorRefuses: 0 };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.values(documents)), fc.gen(), async (text, g) => {
      const document = resource(text);
      const schema = document.kind === 'Platform' ? platformSpec : substrateSpec;
      const changed = { ...document, spec: mutated(g, schema, document.spec) };
      const { problems } = read({ sources: [{ name: 'it.json', content: JSON.stringify(changed) }] });
      const accepted = !problems.some(isError);
      const answer = await dryRun(changed);
      expect([201, 400, 422]).toContain(answer.status);
      if (answer.status === 201) counts[accepted ? 'both' : 'ichorRefuses']++;
      else if (!accepted) counts.neither++;
      else expect.unreachable(`ichor accepts what the API server refuses: ${JSON.stringify(answer.body)}`);
    }),
    sweep('the API server agrees', 800, 10_000),
  );
  process.stderr.write(`the API server agrees: ${JSON.stringify(counts)}\n`);
  // Were all of them taken, or all refused, this would say nothing.
  expect(counts.both).toBeGreaterThan(100);
  expect(counts.neither).toBeGreaterThan(100);
}, 1_200_000);

describe('the examples of the Viti platform', () => {
  test.each(['dhcp', 'static', 'shared-network'])('%s is applied as it is', async (folder) => {
    const namespace = folder === 'static' ? 'vitistack' : 'team-orchard';
    await kube.kubectl(['create', 'namespace', namespace]);
    const applied = await kube.kubectl(['apply', '--namespace', namespace, '-f', resolve('examples/viti', folder)]);
    expect(applied.code, applied.stderr).toBe(0);
    const again = await kube.kubectl(['apply', '--namespace', namespace, '-f', resolve('examples/viti', folder)]);
    expect(again).toMatchObject(done);
    const generations = await kube.kubectl([
      'get',
      'kc',
      '-n',
      namespace,
      '-o',
      'jsonpath={.items[*].metadata.generation}',
    ]);
    expect(new Set(generations.stdout.split(' '))).toEqual(new Set(['1']));
  });

  test('short names and columns are those that people know', async () => {
    const clusters = await kube.kubectl(['get', 'kc', '--namespace', 'team-orchard', '-o', 'wide']);
    expect(table(clusters.stdout)).toEqual([
      ['NAME', 'PHASE', 'PROVIDER', 'REGION', 'CPS', 'WORKERS', 'MESSAGE', 'AGE'],
      ['apple-7k2m', 'talos', 'west', '1', expect.any(String)],
      ['blue-2h8s', 'talos', 'south', '3', expect.any(String)],
      ['green-9c4t', 'talos', 'south', '1', expect.any(String)],
      ['pear-3x9q', 'talos', 'west', '3', expect.any(String)],
    ]);
    const classes = await kube.kubectl(['get', 'mc', '-o', 'name']);
    expect(classes.stdout.trim().split('\n')).toEqual(
      ['large', 'medium', 'small'].map((name) => `machineclass.vitistack.io/${name}`),
    );
    for (const short of ['nn', 'kvc']) expect(await kube.kubectl(['get', short, '-A'])).toMatchObject(done);
  });

  test('what is left out of a MachineClass or a NetworkNamespace gets its default', async () => {
    const { body } = await kube.request(
      'GET',
      '/apis/vitistack.io/v1alpha1/namespaces/team-orchard/kubernetesclusters/apple-7k2m',
    );
    expect((body as { spec: object }).spec).toMatchObject({
      topology: { controlplane: { architecture: 'amd64' }, workers: { nodePools: [{ architecture: 'amd64' }] } },
    });
  });
});

const table = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s{2,}|(?<=\S)\s(?=\d+s$)/));

describe('kubectl', () => {
  test('explain shows what a pool of workers is', async () => {
    const { stdout, code } = await kube.kubectl(['explain', 'platform.spec.cluster.workers']);
    expect(code).toBe(0);
    expect(stdout).toContain('Worker pools by name: machines POOL-0, POOL-1');
    const pool = await kube.kubectl(['explain', 'plat.spec.cluster.controlPlane.schedulable']);
    expect(pool.stdout.replace(/\s+/g, ' ')).toContain(
      'Run ordinary workloads on control planes too. Default: true when there are no workers, else false.',
    );
  });

  test('get shows the columns, and status is a subresource', async () => {
    expect(await kube.kubectl(['apply', '-f', '-'], platforms.minimal)).toMatchObject(done);
    const status = {
      phase: 'Building',
      message: 'Waiting for etcd.',
      observedGeneration: 1,
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'Building',
          message: '3 of 9 steps are done.',
          lastTransitionTime: '2026-11-16T01:00:00Z',
          observedGeneration: 1,
        },
      ],
      endpoint: 'https://10.10.0.5:6443',
      versions: { talos: 'v1.13.9', kubernetes: 'v1.36.3' },
      controlPlanes: { desired: 3, ready: 1, summary: '1/3' },
      workers: { desired: 3, ready: 0, summary: '0/3' },
      plan: { hash: `sha256:${'a'.repeat(64)}`, steps: 9, done: 3, startedAt: '2026-11-16T01:00:00Z' },
    };
    const path = `${collection(resource(platforms.minimal))}/minimal/status?fieldValidation=Strict`;
    const patched = await kube.request('PATCH', path, { status }, 'application/merge-patch+json');
    expect((patched.body as { status: unknown }).status).toEqual(status);

    const narrow = await kube.kubectl(['get', 'plat']);
    expect(table(narrow.stdout)).toEqual([
      ['NAME', 'PHASE', 'READY', 'CPS', 'WORKERS', 'TALOS', 'KUBERNETES', 'AGE'],
      ['minimal', 'Building', 'False', '1/3', '0/3', 'v1.13.9', 'v1.36.3', expect.any(String)],
    ]);
    const wide = await kube.kubectl(['get', 'ichor', '-o', 'wide']);
    expect(wide.stdout).toContain('https://10.10.0.5:6443');
  });

  test('conditions merge by type', async () => {
    const path = `${collection(resource(platforms.minimal))}/minimal/status`;
    const condition = (type: string) => ({
      type,
      status: 'True',
      reason: 'Seen',
      message: '',
      lastTransitionTime: '2026-11-16T02:00:00Z',
    });
    const apply = (manager: string, type: string): Promise<Answer> =>
      kube.request(
        'PATCH',
        `${path}?fieldManager=${manager}`,
        {
          apiVersion: 'ichor.dev/v1alpha1',
          kind: 'Platform',
          metadata: { name: 'minimal' },
          status: { conditions: [condition(type)] },
        },
        'application/apply-patch+yaml',
      );
    expect((await apply('one', 'MachinesReady')).status).toBe(200);
    const { body } = await apply('other', 'EtcdHealthy');
    const { status } = body as { status: { conditions: readonly { type: string }[] } };
    expect(status.conditions.map(({ type }) => type)).toEqual(['Ready', 'MachinesReady', 'EtcdHealthy']);
  });
});

test('every Platform and Substrate of the examples would be taken', async () => {
  const names = await readdir('examples', { recursive: true });
  const files = names.filter((name) => /\.ya?ml$/.test(name)).map((name) => join('examples', name));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files.toSorted()) {
    const ours = parseAllDocuments(await readFile(file, 'utf8'))
      .map((document) => document.toJS() as Resource | null)
      .filter((document) => document?.apiVersion === kinds.Platform.apiVersion);
    for (const document of ours) {
      const { code, stderr } = await kube.kubectl(['apply', '--dry-run=server', '-f', '-'], JSON.stringify(document));
      expect.soft({ file, code, stderr }).toEqual({ file, ...done });
    }
  }
});

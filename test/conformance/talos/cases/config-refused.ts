import { expect } from 'vitest';
import type { Case, Stage } from '../case.ts';
import type { Where, World } from '../world.ts';

type Broken = {
  readonly name: string;
  readonly text: (configs: World['configs']) => string;
  readonly message: string | RegExp;
  /** Where it is asked; all three stages unless said otherwise. */
  readonly only?: Stage;
};

const of = (text: string) => (): string => text;

const validation = (...complaints: readonly string[]): string =>
  `1 error occurred:\n\t* v1alpha1.Config: ${complaints.length} error${complaints.length === 1 ? '' : 's'} occurred:\n` +
  `${complaints.map((complaint) => `\t* ${complaint}\n`).join('')}\n\n\n`;

const noCluster = [
  'cluster instructions are required',
  'issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)',
] as const;

/** Texts are Talos’ own, seen on real nodes. */
export const broken: readonly Broken[] = [
  { name: 'an empty text', text: of(''), message: 'config not found' },
  { name: 'only comments', text: of('# nothing\n'), message: 'config not found' },
  {
    name: 'broken YAML',
    text: of('not: [valid'),
    message:
      "decode error: yaml: while parsing a flow sequence at <unknown position>: line 1: did not find expected ',' or ']'",
  },
  { name: 'a text that is no mapping', text: of('just a string\n'), message: 'expected a YAML document at line 1' },
  {
    name: 'an unknown kind',
    text: of('apiVersion: v1alpha1\nkind: NopeConfig\n'),
    message: 'error decoding document v1alpha1/NopeConfig/ (line 1): "NopeConfig" "v1alpha1": not registered',
  },
  {
    name: 'an unknown key in a document',
    text: of('apiVersion: v1alpha1\nkind: HostnameConfig\nnopefield: 1\n'),
    message:
      'error decoding document v1alpha1/HostnameConfig/ (line 1): unknown keys found during decoding:\nnopefield: 1\n',
  },
  {
    name: 'an unknown key of the machine',
    text: of('version: v1alpha1\nmachine:\n  type: worker\n  nope: 1\ncluster: {}\n'),
    message:
      'error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:\nmachine:\n    nope: 1\n',
  },
  {
    name: 'a version and nothing else',
    text: of('version: v1alpha1\n'),
    message: 'error decoding document /v1alpha1/ (line 1): missing kind',
  },
  {
    name: 'a hostname twice over',
    text: of('apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\nhostname: x\n'),
    message: "1 error occurred:\n\t* HostnameConfig: 'auto' and 'hostname' cannot be set at the same time\n\n",
    only: 'maintenance',
  },
  {
    name: 'no cluster',
    text: of('version: v1alpha1\nmachine:\n  type: worker\n'),
    message: new RegExp(`^1 error occurred:\n\t\\* v1alpha1.Config: \\d errors occurred:\n\t\\* ${noCluster[0]}\n`),
  },
  {
    name: 'a machine type that is none',
    text: ({ controlPlane }) => controlPlane.replace('type: controlplane', 'type: banana'),
    message: /unknown machine type "banana"/,
  },
  {
    name: 'a control plane that calls itself a worker',
    text: ({ controlPlane }) => controlPlane.replace('type: controlplane', 'type: worker'),
    message: validation(
      'etcd config is only allowed on control plane machines',
      'cluster CA key is not allowed on non-controlplane nodes (.cluster.ca)',
      'issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)',
      'issuing Kubernetes API CA key is not allowed on non-controlplane nodes (.cluster.ca)',
    ),
  },
  {
    name: 'a worker that calls itself a control plane',
    text: ({ worker }) => worker.replace('type: worker', 'type: controlplane'),
    message: validation('issuing CA key is required for controlplane nodes (.machine.ca.key)'),
  },
  {
    name: 'a document twice',
    text: ({ controlPlane }) => `${controlPlane}---\napiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n`,
    message: /^duplicate document v1alpha1\/HostnameConfig\/ is not allowed \(line \d+\)$/,
  },
  {
    name: 'a document alone on a configured node',
    text: of('apiVersion: v1alpha1\nkind: StaticHostConfig\nname: 10.9.9.9\nhostnames: [x]\n'),
    message:
      "the applied machine configuration doesn't contain v1alpha1 config, did you mean to patch the machine config instead?",
    only: 'configured',
  },
  {
    name: 'host DNS off, which a container needs',
    text: ({ controlPlane }) => controlPlane.replace(/(hostDNS:\n +enabled: )true/, '$1false'),
    message: /feature HostDNS should be enabled in container mode/,
  },
];

const places = [
  ['maintenance', 'maintenance'],
  ['configured', 'controlPlane'],
] as const satisfies readonly (readonly [Stage, Where])[];

const refusal = (stage: Stage, at: Where, { name, text, message }: Broken, dryRun: boolean): Case => ({
  stage,
  name: `${stage}: ${name} is refused${dryRun ? ', in a dry run too' : ''}`,
  run: async ({ call, configs }) => {
    const data = Buffer.from(text(configs)).toString('base64');
    const answer = await call(at, 'ApplyConfiguration', { data, mode: 'AUTO', dryRun });
    expect(answer.code).toBe('INVALID_ARGUMENT');
    if (typeof message === 'string') expect(answer.message).toBe(message);
    else expect(message.test(answer.message)).toBe(true);
  },
});

export const configRefusedCases: readonly Case[] = places.flatMap(([stage, at]) =>
  broken
    .filter(({ only }) => only === undefined || only === stage)
    .flatMap((one) => [refusal(stage, at, one, true), refusal(stage, at, one, false)]),
);

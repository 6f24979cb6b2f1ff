import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemAnnotation, problemsJson, problemText } from '../../src/cli/problems.ts';
import type { Input } from '../../src/spec/documents.ts';
import { read } from '../../src/spec/read.ts';
import { ichor } from '../cli.ts';
import { platformFile } from '../said.ts';
import { sweep } from '../sweep.ts';

/** How a person, or a template, may have written a secret. */
const styles: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  'in double quotes': (secret) => JSON.stringify(secret),
  'in single quotes': (secret) => `'${secret.replaceAll("'", "''")}'`,
  'with the quote left open': (secret) => `"${secret}`,
  'with the single quote left open': (secret) => `'${secret}`,
  'as a list': (secret) => `[${JSON.stringify(secret)}]`,
  'as a key': (secret) => `{ ${JSON.stringify(secret)} }`,
  'as the name of a variable': (secret) => `{ env: ${JSON.stringify(secret)} }`,
  'as a path and more': (secret) => `{ vault: ${JSON.stringify(secret)}, extra: 1 }`,
  'as a tag': (secret) => `!${secret}`,
  'as an alias': (secret) => `*${secret}`,
  'as an anchor': (secret) => `&${secret}`,
  'behind a reserved character': (secret) => `@${secret}`,
  'as a folded block': (secret) => `>-\n            ${secret}\n            ${secret}`,
  'with a control character': (secret) => `"${secret}\u0001"`,
  'with more behind it': (secret) => `"${secret}" ${secret}`,
};

const file = (content: string): Input => ({ sources: [{ name: 'a.yaml', content }] });
const block = (rest: string) =>
  `apiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: { name: prod }\nspec:\n  machines:\n    proxmox:\n      endpoint: https://a:1\n      hosts: [a, a]\n      ${rest}\n  cluster: { controlPlane: { replicas: 2 } }\n`;
const flow = (rest: string) =>
  platformFile({ machines: `{ proxmox: { endpoint: 5, hots: [a], ${rest}, bridge: [x] } }` });

/** Where. Each has a mistake beside it, so that its line is shown. */
const places: Readonly<Record<string, (written: string, secret: string) => Input>> = {
  token: (written) => file(block(`token: ${written}`)),
  'a misspelt token': (written) => file(block(`tokn: ${written}`)),
  'a token twice': (written) => file(block(`token: { env: A }\n      token: ${written}`)),
  'the password of a login': (written) => file(block(`login: { username: root, passwort: x, password: ${written} }`)),
  'a login': (written) => file(block(`login: ${written}`)),
  'a token among mistakes': (written) => file(flow(`token: ${written}`)),
  'a misspelt token among mistakes': (written) => file(flow(`"api-token": ${written}`)),
  'the key of an authority': (written) =>
    file(
      platformFile({
        services: `{ catalog: { cert-manager: { issuers: { a: { ca: { certificate: 5, key: ${written} } } } } } }`,
      }),
    ),
  'the id of a credential': (written) =>
    file(
      platformFile({
        machines: `{ openstack: { cloud: [a], authentication: { url: 5, applicationCredential: { id: ${written} } } } }`,
      }),
    ),
  'the password of a registry': (written) =>
    file(platformFile({ cluster: `{ registries: { credentials: { a: { user: x, password: ${written} } } } }` })),
  'a variable of an extension': (written) =>
    file(platformFile({ cluster: `{ extensionServices: { a: { environment: { TS_AUTHKEY: ${written} } } } }` })),
  'a plain variable of an extension': (written) =>
    file(platformFile({ cluster: `{ kubeSpan: 5, extensionServices: { a: { environment: { FOO: ${written} } } } }` })),
  'values of a chart': (written) =>
    file(platformFile({ cluster: `{ cni: { cilium: { version: 5, values: { auth: { password: ${written} } } } } }` })),
  'a patch': (written) => file(platformFile({ cluster: `{ patches: [{ machine: { token: ${written} } }, 5] }` })),
  'a manifest': (written) => file(platformFile({ cluster: `{ manifests: { urls: 5, inline: { a: ${written} } } }` })),
  'an unknown section': (written) => file(platformFile({ secrets: `{ a: ${written} }` })),
  'the root': (written) => file(`${platformFile({ cluster: '5' })}password: ${written}\n`),
  'a comment': (_, secret) => file(platformFile({ cluster: `5 # the token was ${secret}` })),
  'an anchor': (written) => file(block(`x: &t ${written}\n      token: *t`)),
  'a document of another kind': (written) =>
    file(`${platformFile({ cluster: '5' })}---\n{ apiVersion: v1, kind: Platform, data: { password: ${written} } }\n`),
  'a document with a slip': (written) =>
    file(`{ apiVersion: ichor.dev/v1alpha1, kind: Platfrom, spec: { token: ${written} } }\n`),
  'a document that is none': (written) => file(`- token: ${written}\n`),
  'broken YAML': (written) => file(block(`token: ${written}\n     bridge: x: y\n   }`)),
  'a line without a colon': (_, secret) => file(block(`token ${secret}`)),
  'a line with an equals sign': (_, secret) => file(block(`token=${secret}\n  ]`)),
  'a line with a tab': (_, secret) => file(block(`\ttoken: ${secret}`)),
  'an overlay': (written) => ({
    sources: [
      { name: 'a.yaml', content: platformFile() },
      {
        name: 'b.yaml',
        content: `apiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: { name: prod }\nspec: { machines: { proxmox: { hots: 1, token: ${written} } } }\n`,
      },
    ],
  }),
  'a file of values': (written) => ({
    ...file(platformFile()),
    varFiles: [{ name: 'v.yaml', content: `machines: { proxmox: { hots: 1, token: ${written} } }\n` }],
  }),
  'a setting': (written) => ({ ...file(platformFile()), settings: [`machines.proxmox.token=${written}`] }),
  'a setting with a slip': (written) => ({
    ...file(platformFile()),
    settings: [`machines.proxmox.tokn=${written}`, 'cluster=5'],
  }),
  'a setting without an equals sign': (_, secret) => ({
    ...file(platformFile()),
    // With an equals sign in it the beginning is a path, and unknown keys are named.
    settings: [`machines.proxmox.token ${secret}`, secret.replaceAll('=', '')],
  }),
  'a setting of a list': (written) => ({
    ...file(platformFile()),
    settings: [`machines.proxmox.hosts.token=${written}`],
  }),
};

const plain = {
  paint: (_: unknown, text: string) => text,
  out: () => undefined,
  err: () => undefined,
  columns: 100,
  interactive: false,
};

/** Everything that any output could show. */
function everything(input: Input): string {
  const { problems, texts, others } = read(input);
  return [
    ...problems.map((problem) => problemText(problem, texts, plain)),
    JSON.stringify(problemsJson(problems)),
    ...problems.map(problemAnnotation),
    ...others,
    ...texts.values(),
  ].join('\n');
}

const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_.!=+/@:,%~^;()$'.split('');
/** Six characters in a row of it are enough to recognise it. */
const secrets = fc
  .array(fc.constantFrom(...alphabet), { minLength: 12, maxLength: 48 })
  .map((characters) => `q${characters.join('')}z`)
  .filter((secret) => !/[:,]$/.test(secret));

const leaks = (output: string, secret: string): readonly string[] =>
  Array.from({ length: secret.length - 5 }, (_, start) => secret.slice(start, start + 6)).filter((piece) =>
    output.includes(piece),
  );

test('no secret that was written in clear is in any output, whatever it looks like and wherever it stands', () => {
  fc.assert(
    fc.property(
      secrets,
      fc.constantFrom(...Object.keys(places)),
      fc.constantFrom(...Object.keys(styles)),
      (secret, place, style) => {
        const input = places[place]?.(styles[style]?.(secret) ?? '', secret);
        if (input === undefined) throw new Error('There is no such place.');
        expect(leaks(everything(input), secret)).toEqual([]);
      },
    ),
    sweep('secrets', 1000, 50_000),
  );
});

test('the rest of a secret behind a comma is hidden like its beginning', () => {
  for (const secret of ['q,aaaa:,aaaaaaaaaaaaz', 'q,bbbbbbbb:,bbbbz', 'q,ccccccccc,cz']) {
    const output = everything(file(flow(`token: ${secret}`)));
    expect(leaks(output, secret)).toEqual([]);
  }
});

test('in every place, written in every way, at least once', () => {
  const secret = 'qK7hunter2hunter2Wz';
  const found = Object.entries(places).flatMap(([place, make]) =>
    Object.entries(styles).flatMap(([style, write]) =>
      leaks(everything(make(write(secret), secret)), secret).length > 0 ? [`${place}, ${style}`] : [],
    ),
  );
  expect(found).toEqual([]);
});

test('a user and a password in a URL are in no output', () => {
  for (const user of ['qK7hunter2', 'root:qK7hunter2', 'qK7hunter2:x']) {
    const output = everything(
      file(
        platformFile({
          machines: `{ proxmox: { endpoint: "https://${user}@pve1:8006", hosts: [a], token: { env: A } } }`,
          services: `{ gitops: { flux: { url: "https://${user}@example.org/a.git" } } }`,
        }),
      ),
    );
    expect(leaks(output, 'qK7hunter2')).toEqual([]);
  }
});

describe('through the command line', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'ichor-secrets-'));
  });
  afterAll(() => rm(cwd, { recursive: true, force: true }));

  test.each([
    'token',
    'a misspelt token',
    'broken YAML',
    'values of a chart',
    'a setting',
    'a setting with a slip',
    'a setting without an equals sign',
    'a file of values',
  ])('%s', async (place) => {
    const secret = 'qK7-hunter2!hunter2Wz';
    const { sources, varFiles = [], settings = [] } = places[place]?.(secret, secret) ?? file('');
    const names = [...sources, ...varFiles].map(({ name }) => name);
    await Promise.all([...sources, ...varFiles].map(({ name, content }) => writeFile(join(cwd, name), content)));
    const args = [
      ...sources.flatMap(({ name }) => ['-f', name]),
      ...varFiles.flatMap(({ name }) => ['--var-file', name]),
      ...settings.flatMap((setting) => ['--set', setting]),
    ];
    const ran = ['text', 'json', 'github'].map((format) => ichor(['validate', ...args, '-o', format], { cwd }));
    expect(ran.map(({ status, stdout, stderr }) => ({ status, leaks: leaks(stdout + stderr, secret), names }))).toEqual(
      ran.map(() => ({ status: 1, leaks: [], names })),
    );
  });

  test.each([
    [['validate', '--sett', 'machines.proxmox.token=qK7hunter2']],
    [['validate', '--sett=machines.proxmox.token=qK7hunter2']],
    [['validate', '--token=qK7hunter2']],
    [['validate', 'qK7hunter2']],
  ])('an option with a slip: %j', async (args) => {
    const { status, stdout, stderr } = ichor(args, { cwd });
    expect([status, leaks(stdout + stderr, 'qK7hunter2')]).toEqual([1, []]);
  });
});

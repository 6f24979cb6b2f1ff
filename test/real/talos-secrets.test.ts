import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { systemClock, systemEntropy } from '../../src/state/system.ts';
import { contracts, type Contract } from '../../src/talos/config/contract.ts';
import { newKubeconfig } from '../../src/talos/kubeconfig/new.ts';
import { newClient } from '../../src/talos/pki/client.ts';
import { lifeFrom } from '../../src/talos/pki/life.ts';
import { fromBase64 } from '../../src/talos/pki/pem.ts';
import type { CertificateAndKey, SecretsBundle } from '../../src/talos/secrets/bundle.ts';
import { secretsFromControlPlaneConfig } from '../../src/talos/secrets/from-config.ts';
import { newSecrets } from '../../src/talos/secrets/new.ts';
import { readSecrets } from '../../src/talos/secrets/read.ts';
import { secretsText } from '../../src/talos/secrets/text.ts';
import { mergeTalosconfig } from '../../src/talos/talosconfig/merge.ts';
import { newTalosconfig } from '../../src/talos/talosconfig/new.ts';
import { chooseContext, readTalosconfig } from '../../src/talos/talosconfig/read.ts';
import { renewTalosconfig } from '../../src/talos/talosconfig/renew.ts';
import { talosconfigText } from '../../src/talos/talosconfig/talosconfig.ts';
import { anatomyOf } from '../certificate-anatomy.ts';
import { seededEntropy } from '../entropy.ts';
import { folder } from '../folder.ts';
import { askAll } from './oracle.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';
import { talosctl } from './talosctl.ts';

const made = new Map<Contract, SecretsBundle>();
beforeAll(async () => {
  // Built here, so that no test is the one that waits for it.
  await peerProgram('talosctl');
  for (const contract of contracts)
    // One as it is made for people; the others with keys that cost nothing.
    made.set(
      contract,
      await newSecrets(contract === '1.13' ? systemEntropy : seededEntropy(contract), systemClock, contract),
    );
}, buildTimeoutMs);

function bundleFor(contract: Contract): SecretsBundle {
  const bundle = made.get(contract);
  if (bundle === undefined) throw new Error(`There is no bundle for ${contract}.`);
  return bundle;
}

describe.each(contracts)('contract %s', (contract) => {
  test('a bundle of talosctl is adopted to the byte', async () => {
    const tool = await talosctl();
    tool.run('gen', 'secrets', '--talos-version', `v${contract}`);
    const text = tool.read('secrets.yaml');

    expect(secretsText(readSecrets(text, 'secrets.yaml')) === text).toBe(true);
  });

  test('talosctl makes configs of our bundle, and finds the same bundle in them', async () => {
    const tool = await talosctl();
    const bundle = bundleFor(contract);
    tool.write('ours.yaml', secretsText(bundle));
    tool.run(
      'gen',
      'config',
      'prod',
      'https://10.0.0.100:6443',
      '--with-secrets',
      'ours.yaml',
      '--talos-version',
      `v${contract}`,
    );
    tool.run('validate', '--mode', 'metal', '--strict', '--config', 'controlplane.yaml');
    tool.run('gen', 'secrets', '--from-controlplane-config', 'controlplane.yaml', '--output-file', 'theirs.yaml');

    const found = secretsFromControlPlaneConfig(tool.read('controlplane.yaml'), 'controlplane.yaml');
    expect(secretsText(found) === secretsText(bundle)).toBe(true);
    expect(tool.read('theirs.yaml') === secretsText(bundle)).toBe(true);
  });
});

test('the documents that Talos 1.14 makes of our bundle give it back', { timeout: buildTimeoutMs }, async () => {
  const file = join(folder(), 'secrets.yaml');
  const bundle = bundleFor('1.14');
  writeFileSync(file, secretsText(bundle), { mode: 0o600 });
  const generate = {
    name: 'prod',
    endpoint: 'https://10.0.0.100:6443',
    kubernetes: '1.36.3',
    contract: 'v1.14',
    secretsFile: file,
    installDisk: '/dev/sda',
    installImage: 'installer:v1.14.0',
    role: 'controlplane',
  };
  const [answer] = await askAll<{ error?: string; encoded?: string }>('machinery-1.14', [{ generate }]);

  expect(answer?.error).toBeUndefined();
  expect(answer?.encoded).toContain('kind: KubeAPIServerCAConfig');
  const found = secretsFromControlPlaneConfig(answer?.encoded ?? '', 'controlplane.yaml');
  expect(secretsText(found) === secretsText(bundle)).toBe(true);
});

describe('certificates', () => {
  test('ours and talosctl’s are alike in every field', async () => {
    const tool = await talosctl();
    const bundle = bundleFor('1.13');
    tool.run('gen', 'secrets');
    tool.run('gen', 'config', 'prod', 'https://10.0.0.100:6443', '--with-secrets', 'secrets.yaml');
    const theirs = readSecrets(tool.read('secrets.yaml'), 'secrets.yaml');
    const theirAdmin = chooseContext(readTalosconfig(tool.read('talosconfig'), 'talosconfig'), 'talosconfig');
    const ourAdmin = chooseContext(await ourTalosconfig(bundle), 'talosconfig');

    const kinds = ['etcd', 'k8s', 'k8saggregator', 'os'] as const;
    const anatomies = ({ certs }: SecretsBundle, admin: string): object => ({
      ...Object.fromEntries(kinds.map((kind) => [kind, anatomyOf(certs[kind].crt)])),
      admin: anatomyOf(admin),
    });
    expect(anatomies(bundle, ourAdmin.crt)).toEqual(anatomies(theirs, theirAdmin.crt));
  });

  test('OpenSSL takes strictly what each authority signs, but for the one without a name, ours as talosctl’s', async () => {
    const tool = await talosctl();
    tool.run('gen', 'secrets');
    const theirs = readSecrets(tool.read('secrets.yaml'), 'secrets.yaml');
    const verdicts = async ({ certs }: SecretsBundle): Promise<object> => {
      const kinds = ['etcd', 'k8s', 'os', 'k8saggregator'] as const;
      const each = kinds.map(async (kind) => [kind, strictly(certs[kind].crt, await aClientOf(certs[kind]))] as const);
      return Object.fromEntries(await Promise.all(each));
    };
    const nameless = [
      'error 83 at 0 depth lookup: Issuer name empty',
      'error 83 at 1 depth lookup: Issuer name empty',
      'error 84 at 1 depth lookup: Subject name empty',
    ];

    expect(await verdicts(bundleFor('1.13'))).toEqual({
      etcd: ['OK'],
      k8s: ['OK'],
      os: ['OK'],
      k8saggregator: nameless,
    });
    expect(await verdicts(theirs)).toEqual({ etcd: ['OK'], k8s: ['OK'], os: ['OK'], k8saggregator: nameless });
  });

  test('OpenSSL takes the certificates that people get, as clients and not as servers', async () => {
    const bundle = bundleFor('1.13');
    const { k8s, os } = bundle.certs;
    const admin = chooseContext(await ourTalosconfig(bundle), 'talosconfig').crt;
    const request = { bundle, cluster: 'prod', endpoint: 'https://a:6443' };
    const { users } = parse(await newKubeconfig(request, systemEntropy, systemClock)) as {
      users: { user: Record<string, string> }[];
    };
    const kubernetesAdmin = fromBase64(users[0]?.user['client-certificate-data'] ?? '') ?? '';

    expect([strictly(os.crt, admin), strictly(k8s.crt, kubernetesAdmin)]).toEqual([['OK'], ['OK']]);
    expect(strictly(os.crt, admin, 'sslserver')).toEqual([
      'error 26 at 0 depth lookup: unsuitable certificate purpose',
    ]);
    expect(strictly(os.crt, kubernetesAdmin)).toEqual([
      'error 20 at 0 depth lookup: unable to get local issuer certificate',
    ]);
  });

  test.each([
    ['RSA', ['rsa:2048']],
    ['P-384', ['ec', '-pkeyopt', 'ec_paramgen_curve:secp384r1']],
  ])('OpenSSL takes what an authority of its own signs after it is adopted: %s', async (_, newKey) => {
    const dir = folder();
    const subject = '/C=NO/O=Fjord \u00e9/CN=kubernetes/emailAddress=a@example.org';
    const args = [
      'req',
      '-x509',
      '-utf8',
      '-nodes',
      '-newkey',
      ...newKey,
      '-addext',
      'keyUsage=critical,keyCertSign',
      '-subj',
      subject,
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
    ];
    const { status } = spawnSync('openssl', args, { cwd: dir });
    expect(status).toBe(0);
    const authority = {
      crt: readFileSync(join(dir, 'ca.crt'), 'utf8'),
      key: readFileSync(join(dir, 'ca.key'), 'utf8'),
    };

    expect(strictly(authority.crt, await aClientOf(authority, seededEntropy('adopted')))).toEqual(['OK']);
  });
});

describe('talosconfig', () => {
  test('talosctl shows roles, endpoints and end of ours', async () => {
    const tool = await talosctl();
    const roles = ['os:reader', 'os:etcd:backup'];
    const ttlMs = 90 * 86_400_000;
    const request = {
      bundle: bundleFor('1.13'),
      cluster: 'prod',
      endpoints: ['10.0.0.1'],
      nodes: ['10.0.0.2'],
      roles,
      ttlMs,
    };
    const config = await newTalosconfig(request, systemEntropy, { now: () => new Date('2026-01-01T12:00:00Z') });
    tool.write('talosconfig', talosconfigText(config));

    const { certTTL: _, ...info } = JSON.parse(
      tool.run('--talosconfig', 'talosconfig', 'config', 'info', '--output', 'json'),
    ) as Record<string, unknown>;
    expect(info).toEqual({
      context: 'prod',
      nodes: ['10.0.0.2'],
      endpoints: ['10.0.0.1'],
      roles: roles.toSorted(),
      certNotAfter: '2026-04-01',
    });
  });

  test('a renewed one shows its new end', async () => {
    const tool = await talosctl();
    const bundle = bundleFor('1.13');
    const text = talosconfigText(await ourTalosconfig(bundle));
    const later = { now: () => new Date('2030-06-01T12:00:00Z') };
    tool.write(
      'talosconfig',
      await renewTalosconfig({ text, file: 'talosconfig', context: 'prod', bundle }, systemEntropy, later),
    );

    const info = JSON.parse(tool.run('--talosconfig', 'talosconfig', 'config', 'info', '--output', 'json')) as Record<
      string,
      unknown
    >;
    expect([info['roles'], info['certNotAfter']]).toEqual([['os:admin'], '2031-06-01']);
  });

  test('talosctl merges as we do', async () => {
    const tool = await talosctl();
    const config = await ourTalosconfig(bundleFor('1.13'));
    const theirs =
      'context: dev\ncontexts:\n    dev:\n        endpoints: [10.9.9.9]\n    prod:\n        target: 10.8.8.8\n    prod-1: {endpoints: []}\n';
    tool.write('existing', theirs);
    tool.write('ours', talosconfigText(config));
    tool.run('--talosconfig', 'existing', 'config', 'merge', 'ours');

    const merged = readTalosconfig(mergeTalosconfig(theirs, 'existing', config).text, 'existing');
    const judged = readTalosconfig(tool.read('existing'), 'existing');
    expect([...merged.contexts].toSorted(byName)).toEqual([...judged.contexts].toSorted(byName));
    expect(merged.context).toBe(judged.context);
  });
});

const ourTalosconfig = (bundle: SecretsBundle) =>
  newTalosconfig({ bundle, cluster: 'prod', endpoints: ['10.0.0.1'] }, systemEntropy, systemClock);

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

const aClientOf = async (authority: CertificateAndKey, entropy = systemEntropy): Promise<string> => {
  const life = lifeFrom(new Date(), 86_400_000);
  const request = {
    authority,
    subject: { organizations: [], commonName: 'someone' },
    life,
    uses: ['digitalSignature'],
  } as const;
  return (await newClient(request, entropy)).crt;
};

/** OK, or everything that OpenSSL has against a certificate. */
function strictly(authority: string, certificate: string, purpose = 'sslclient'): readonly string[] {
  const dir = folder();
  writeFileSync(join(dir, 'ca.crt'), authority);
  writeFileSync(join(dir, 'leaf.crt'), certificate);
  const args = ['verify', '-x509_strict', '-check_ss_sig', '-purpose', purpose, '-CAfile', 'ca.crt', 'leaf.crt'];
  const { error, stdout, stderr } = spawnSync('openssl', args, { cwd: dir, encoding: 'utf8' });
  if (error) throw new Error('The real tier asks OpenSSL, and there is none. Install the Debian package openssl.');
  return stdout.startsWith('leaf.crt: OK') ? ['OK'] : stderr.split('\n').filter((line) => /^error \d/.test(line));
}

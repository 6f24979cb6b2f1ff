import { create } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { stringify } from 'yaml';
import { gzipSync } from 'node:zlib';
import { DataSchema } from '../../../wire/gen/talos/common_pb.ts';
import {
  GenerateClientConfigurationRequestSchema,
  GenerateClientConfigurationResponseSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { issuerOf, issueWithKey, talosKeyPem } from '../../pki/issue.ts';
import { validity } from '../apid/credentials.ts';
import type { Settings } from '../node/settings.ts';
import type { LabClock } from '../../clock.ts';
import { requireControlPlane, streaming, unary } from './call.ts';
import type { Handler } from './call.ts';
import { tarOf } from './tar.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const skewMs = 10_000;

export const credentialHandlers: Readonly<Record<string, Handler>> = {
  '/machine.MachineService/Kubeconfig': streaming(EmptySchema, DataSchema, async function* (given) {
    requireControlPlane(given, 'kubeconfig');
    const text = kubeconfigOf(given.boot.settings as Settings, given.boot.clock);
    const archive = tarOf([{ name: 'kubeconfig', content: Buffer.from(text), mode: 0o600 }], false);
    yield create(DataSchema, { bytes: gzipSync(archive) });
  }),

  '/machine.MachineService/GenerateClientConfiguration': unary(
    GenerateClientConfigurationRequestSchema,
    GenerateClientConfigurationResponseSchema,
    (given, { roles, crtTtl }) => {
      requireControlPlane(given, 'generate client configuration');
      const settings = given.boot.settings as Settings;
      const ttlMs = Number(crtTtl?.seconds ?? 0n) * 1000 + (crtTtl?.nanos ?? 0) / 1_000_000;
      if (ttlMs <= 0) throw new GrpcStatus('INVALID_ARGUMENT', 'crt_ttl should be positive');
      const { crt, key } = issueWithKey(issuerOf(settings.ca.crt, settings.ca.key), {
        subject: { organizations: roles },
        usage: ['digitalSignature'],
        purposes: ['client'],
        ...validity(given.boot.clock, ttlMs),
      });
      const ca = [settings.ca.crt, ...settings.acceptedCas].join('');
      const [role, ...more] = roles;
      const context =
        role !== undefined && more.length === 0
          ? `${role.replace(/^os:/, '')}@${settings.clusterName}`
          : settings.clusterName;
      const keyPem = talosKeyPem(key);
      const talosconfig = stringify(
        { context, contexts: { [context]: { endpoints: [], ca: base64(ca), crt: base64(crt), key: base64(keyPem) } } },
        { indent: 4, lineWidth: 0 },
      );
      return create(GenerateClientConfigurationResponseSchema, {
        messages: [
          {
            ca: Buffer.from(ca),
            crt: Buffer.from(crt),
            key: Buffer.from(keyPem),
            talosconfig: Buffer.from(talosconfig),
          },
        ],
      });
    },
  ),
};

function kubeconfigOf(settings: Settings, clock: LabClock): string {
  const { notBefore, notAfter } = validity(clock, settings.kubeconfigLifetimeMs);
  const { crt, key } = issueWithKey(issuerOf(settings.kubernetesCa.crt, settings.kubernetesCa.key), {
    subject: { organizations: ['system:masters'], commonName: 'admin' },
    usage: ['digitalSignature', 'keyEncipherment'],
    purposes: ['client'],
    notBefore: new Date(notBefore.getTime() - skewMs),
    notAfter,
  });
  const name = settings.clusterName;
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name,
          cluster: {
            server: settings.endpoint,
            'certificate-authority-data': base64(
              [...settings.acceptedKubernetesCas, settings.kubernetesCa.crt].join(''),
            ),
          },
        },
      ],
      users: [
        {
          name: `admin@${name}`,
          user: { 'client-certificate-data': base64(crt), 'client-key-data': base64(talosKeyPem(key)) },
        },
      ],
      contexts: [{ context: { cluster: name, namespace: 'default', user: `admin@${name}` }, name: `admin@${name}` }],
      'current-context': `admin@${name}`,
    },
    { indent: 4, lineWidth: 0 },
  );
}

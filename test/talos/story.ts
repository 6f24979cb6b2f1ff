import { randomUUID } from 'node:crypto';
import { newAdmin } from '../../src/talos/talosconfig/new.ts';
import { configText } from '../../src/talos/config/text.ts';
import { renderConfigs } from '../../src/talos/config/render.ts';
import { newSecrets } from '../../src/talos/secrets/new.ts';
import type { TalosAccess } from '../../src/clients/talos.ts';
import { platformOf, requestFor } from '../talos-configs.ts';
import { seededEntropy } from '../entropy.ts';

/** Machines that exist already, at their addresses, with the configurations and the access that make them one cluster. */
export type Story = {
  readonly configs: ReadonlyMap<string, string>;
  access(roles?: readonly string[], ttlMs?: number): Promise<TalosAccess>;
};

export async function aStory(controlPlanes: readonly string[], workers: readonly string[]): Promise<Story> {
  const entropy = seededEntropy(randomUUID());
  const clock = { now: () => new Date() };
  const platform = platformOf(documentOf(controlPlanes, workers));
  const bundle = await newSecrets(entropy, clock, '1.13');
  const { nodes } = renderConfigs(requestFor(platform, bundle));
  return {
    configs: new Map([...nodes].map(([name, { config }]) => [name, configText(config)])),
    async access(roles = ['os:admin'], ttlMs = 3_600_000) {
      const { crt, key } = await newAdmin({ bundle, roles, ttlMs }, entropy, clock);
      return { kind: 'mutual', ca: bundle.certs.os.crt, crt, key };
    },
  };
}

function documentOf(controlPlanes: readonly string[], workers: readonly string[]): string {
  const machines = [
    ...controlPlanes.map((address, index) => `        cp-${index}: { address: ${address} }`),
    ...workers.map((address, index) => `        general-${index}: { address: ${address} }`),
  ];
  return `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: story }
spec:
  machines:
    existing:
      machines:
${machines.join('\n')}
  cluster:
    talos: { version: v1.13.9 }
    controlPlane: { replicas: ${controlPlanes.length}, installDisk: { path: /dev/sda } }
    workers: { general: { replicas: ${workers.length} } }
    endpoint: { host: k8s.example.org }
`;
}

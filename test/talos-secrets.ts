import { newSecrets } from '../src/talos/secrets/new.ts';
import type { Contract } from '../src/talos/config/contract.ts';
import type { MachineConfig } from '../src/talos/config/document.ts';
import { renderConfigs } from '../src/talos/config/render.ts';
import type { SecretsBundle } from '../src/talos/secrets/bundle.ts';
import { seededEntropy, testClock } from './entropy.ts';
import { platformOf, requestFor } from './talos-configs.ts';
import { platformFile } from './said.ts';

export type SecretConfig = { readonly bundle: SecretsBundle; readonly configs: readonly MachineConfig[] };

/** Whole configurations with the secrets of a bundle of their own in them. */
export async function secretConfig(seed: number, contract: Contract, patch = 'v1.13.9'): Promise<SecretConfig> {
  const bundle = await newSecrets(seededEntropy(seed), testClock, contract);
  const file = platformFile({
    machines: '{ existing: { machines: { cp-0: { address: 10.0.0.11 }, general-0: { address: 10.0.0.21 } } } }',
    cluster: `{ talos: { version: ${patch} }, controlPlane: { replicas: 1 }, workers: { general: { replicas: 1 } } }`,
  });
  const { controlPlane, worker, nodes } = renderConfigs(requestFor(platformOf(file), bundle));
  return { bundle, configs: [controlPlane, worker, ...nodes.values()].map(({ config }) => config) };
}

/** Keys alone: certificates are for everybody to see. */
export const withoutCertificates = (certs: SecretsBundle['certs']): SecretsBundle['certs'] =>
  Object.fromEntries(Object.entries(certs).map(([name, { key }]) => [name, { key }])) as SecretsBundle['certs'];

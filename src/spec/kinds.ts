import * as z from 'zod';
import { nearest } from '../model/nearest.ts';
import { Problem } from '../model/problem.ts';
import { apiVersion, platform } from './schema/platform.ts';
import { substrate } from './schema/substrate.ts';
import {
  kubernetesClusterSpec,
  machineClassSpec,
  networkNamespaceSpec,
  vitiApiVersion,
  vitiMetadata,
} from './viti/schema.ts';

export type Kind = 'Platform' | 'Substrate' | 'KubernetesCluster' | 'MachineClass' | 'NetworkNamespace';

/** A resource of the Viti platform, as it stands in a file. */
const vitiResource = <S extends z.ZodType>(kind: string, spec: S) =>
  z.strictObject({
    apiVersion: z.literal(vitiApiVersion),
    kind: z.literal(kind),
    metadata: vitiMetadata,
    spec,
    status: z.unknown().describe('Written by the operator; ichor does not read it.').optional(),
  });

export const kubernetesCluster = vitiResource('KubernetesCluster', kubernetesClusterSpec('short'));
export const machineClass = vitiResource('MachineClass', machineClassSpec);
export const networkNamespace = vitiResource('NetworkNamespace', networkNamespaceSpec);

/** The documents that ichor reads: what each may say. */
export const kinds: Readonly<Record<Kind, { readonly apiVersion: string; readonly document: z.ZodType }>> = {
  Platform: { apiVersion, document: platform },
  Substrate: { apiVersion, document: substrate },
  KubernetesCluster: { apiVersion: vitiApiVersion, document: kubernetesCluster },
  MachineClass: { apiVersion: vitiApiVersion, document: machineClass },
  NetworkNamespace: { apiVersion: vitiApiVersion, document: networkNamespace },
};

export const kindNames = Object.keys(kinds) as readonly Kind[];

/** The kind that a person means, however they write its letters. */
export function named<K extends string>(written: string, known: readonly K[]): K {
  const found = known.find((kind) => kind.toLowerCase() === written.toLowerCase());
  if (found !== undefined) return found;
  const meant = nearest(written, known);
  throw new Problem('unknown-kind', `"${written}" is not a kind that ichor knows.`, {
    remedy: meant === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean "${meant}"?`,
  });
}

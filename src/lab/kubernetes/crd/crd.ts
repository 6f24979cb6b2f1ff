import type { RawSchema } from '../schema/structural.ts';

/** The parts of a CustomResourceDefinition, as far as they have been given. */
export type CrdNames = {
  readonly plural?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind?: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
};

export type CrdColumn = {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
};

export type CrdScale = {
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
};

export type CrdVersion = {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: RawSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: CrdScale };
  readonly additionalPrinterColumns?: readonly CrdColumn[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
};

export type CrdSpec = {
  readonly group?: string;
  readonly names?: CrdNames;
  readonly scope?: string;
  readonly versions?: readonly CrdVersion[] | null;
  readonly conversion?: { readonly strategy?: string; readonly webhook?: Readonly<Record<string, unknown>> };
  readonly preserveUnknownFields?: boolean;
};

export type CrdCondition = {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
};

export type CrdStatus = {
  readonly conditions?: readonly CrdCondition[] | null;
  readonly acceptedNames?: CrdNames;
  readonly storedVersions?: readonly string[] | null;
};

export const crdResource = 'apiextensions.k8s.io/customresourcedefinitions';
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export const specOf = (crd: { readonly [field: string]: unknown }): CrdSpec => crd['spec'] ?? {};
export const statusOf = (crd: { readonly [field: string]: unknown }): CrdStatus => crd['status'] ?? {};

export const hasCondition = (status: CrdStatus, type: string): boolean =>
  status.conditions?.some((each) => each.type === type && each.status === 'True') === true;

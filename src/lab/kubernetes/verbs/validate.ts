import type { KubeObject, ObjectMeta } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, ResourceDefinition, StrategyContext } from '../resource.ts';
import { metadataErrors, metadataUpdateErrors } from './metadata.ts';

/** Everything that is wrong with something new. */
export const validateNew = (
  definition: ResourceDefinition,
  object: KubeObject,
  context: StrategyContext,
): readonly FieldError[] => [
  ...metadataErrors(definition, object),
  ...(definition.strategy.validate?.(object, context) ?? []),
];

/** Everything that is wrong with a change; `given` is the metadata as it came. */
export const validateChange = (
  definition: ResourceDefinition,
  next: KubeObject,
  old: KubeObject,
  given: ObjectMeta,
  context: StrategyContext,
): readonly FieldError[] => [
  ...metadataUpdateErrors(definition, given, old.metadata),
  ...(definition.strategy.validateUpdate?.(next, old, context) ?? []),
];

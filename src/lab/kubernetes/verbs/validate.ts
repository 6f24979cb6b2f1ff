import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, ResourceDefinition, StrategyContext } from '../resource.ts';

/** Everything that is wrong with an object. */
export function validate(
  definition: ResourceDefinition,
  object: KubeObject,
  old: KubeObject | undefined,
  context: StrategyContext,
): readonly FieldError[] {
  const { strategy } = definition;
  if (old === undefined) return strategy.validate?.(object, context) ?? [];
  return strategy.validateUpdate?.(object, old, context) ?? [];
}

import { crdResource } from '../crd/crd.ts';
import { crdStrategy } from '../crd/strategy.ts';
import type { ResourceDefinition } from '../resource.ts';
import { builtinDefinitions } from '../schema/builtin.ts';

let assembled: readonly ResourceDefinition[] | undefined;

/** Everything that is built in, put together once for all twins. */
export const builtinResources = (): readonly ResourceDefinition[] =>
  (assembled ??= builtinDefinitions().map((definition) => ({
    ...definition,
    strategy: `${definition.group}/${definition.resource}` === crdResource ? crdStrategy : {},
    columns: [],
    selectable: {},
  })));

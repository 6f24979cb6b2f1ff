import { columnsOf } from '../columns/columns.ts';
import { crdResource } from '../crd/crd.ts';
import { crdStrategy } from '../crd/strategy.ts';
import { strategyOf } from '../kinds/kinds.ts';
import { selectableOf } from '../kinds/selectable.ts';
import type { ResourceDefinition } from '../resource.ts';
import { builtinDefinitions } from '../schema/builtin.ts';

let assembled: readonly ResourceDefinition[] | undefined;

/** Everything that is built in, put together once for all twins. */
export const builtinResources = (): readonly ResourceDefinition[] =>
  (assembled ??= builtinDefinitions().map((definition) => {
    const { group, resource } = definition;
    return {
      ...definition,
      strategy: `${group}/${resource}` === crdResource ? crdStrategy : strategyOf(group, resource),
      columns: columnsOf(group, resource),
      selectable: selectableOf(group, resource),
    };
  }));

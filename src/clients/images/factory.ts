import { Problem } from '../../model/problem.ts';
import type { Schematic } from '../../model/step.ts';
import { askingThrough, type Proxies } from './download.ts';
import { unreachable } from './problems.ts';

/** Tells a factory what is in an image; it knows the image by its id from then on. */
export const schematicRegistrar =
  ({ proxies = {}, silenceMs = 15_000 }: { readonly proxies?: Proxies; readonly silenceMs?: number } = {}) =>
  async ({ factory, id, text }: Schematic, signal: AbortSignal): Promise<void> => {
    await using asking = await askingThrough(proxies, silenceMs);
    const url = `${factory.replace(/\/+$/, '')}/schematics`;
    const { statusCode, body } = await asking.tell(url, text, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw unreachable(url, error);
    });
    const said = await body.text();
    if (statusCode !== 200 && statusCode !== 201) throw refused(url, statusCode, said);
    if (idIn(said) !== id) throw otherId(url, id);
  };

function idIn(said: string): unknown {
  try {
    return (JSON.parse(said) as { readonly id?: unknown }).id;
  } catch {
    return undefined;
  }
}

const refused = (url: string, status: number, said: string): Problem =>
  new Problem(
    'schematic-refused',
    `${url} does not take the schematic (status ${status}): ${said.trim().slice(0, 200)}`,
    {
      recovery: status >= 500 ? 'retry' : 'ask',
      remedy:
        'Correct cluster.talos.extensions, kernelArgs or image.factory; see what the factory knows:\n    ichor explain cluster.talos',
    },
  );

const otherId = (url: string, id: string): Problem =>
  new Problem('schematic-id', `${url} knows this schematic by another id than ${id}.`, {
    remedy:
      'Name the schematic that it has, as cluster.talos.image.schematic, or ask the public factory: https://factory.talos.dev',
  });

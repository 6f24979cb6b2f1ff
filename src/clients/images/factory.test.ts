import { describe, expect, test } from 'vitest';
import { startImageFactory } from '../../lab/factory/factory.ts';
import { schematicId, schematicText } from '../../talos/schematic/schematic.ts';
import { schematicRegistrar } from './factory.ts';

const made = { extensions: ['qemu-guest-agent'] };
const signal = AbortSignal.timeout(60_000);
const register = schematicRegistrar();

describe('a factory', () => {
  test('knows a schematic once it was told, and may be told twice', async () => {
    await using factory = await startImageFactory();
    const schematic = { factory: `${factory.url}/`, id: schematicId(made), text: schematicText(made) };
    await register(schematic, signal);
    await register(schematic, signal);
    expect(factory.schematics.get(schematic.id)?.extensions).toEqual(['siderolabs/qemu-guest-agent']);
  });

  test('on this machine is told without a proxy', async () => {
    await using factory = await startImageFactory();
    const behindProxy = schematicRegistrar({ proxies: { http: 'http://127.0.0.1:1', https: 'http://127.0.0.1:1' } });
    await behindProxy({ factory: factory.url, id: schematicId(made), text: schematicText(made) }, signal);
    expect(factory.schematics.has(schematicId(made))).toBe(true);
  });

  test('that finds another id, or does not take it, or is not there, is told so', async () => {
    await using factory = await startImageFactory();
    const told = (id: string, text: string, at = factory.url): Promise<void> =>
      register({ factory: at, id, text }, signal);
    await expect(told('0'.repeat(64), schematicText(made))).rejects.toMatchObject({ code: 'schematic-id' });
    await expect(told('0'.repeat(64), 'customization: [')).rejects.toMatchObject({
      code: 'schematic-refused',
      recovery: 'ask',
    });
    await expect(told('0'.repeat(64), '', 'http://127.0.0.1:1')).rejects.toMatchObject({
      code: 'image-unreachable',
      recovery: 'retry',
    });
  });
});

import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { goYaml, type YamlValue } from '../talos/state/go-yaml.ts';

/** A schematic as the factory keeps it. */
export type KeptSchematic = {
  readonly id: string;
  /** In the order and form that the id is a hash of. */
  readonly text: string;
  readonly extensions: readonly string[];
};

/** Something that is no schematic; the factory answers 400 with these words. */
export class WrongSchematic extends Error {
  override readonly name = 'WrongSchematic';
}

type Tree = { readonly [key: string]: unknown };

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields in the order of the factory’s own types; a list means that its entries are such, `always` that it is never left out. */
type Shape = { readonly [key: string]: Shape | readonly [Shape] | 'any' | 'always' };
const shape: Shape = {
  overlay: { image: 'always', name: 'always', options: 'any' },
  customization: {
    embeddedMachineConfiguration: 'any',
    extraKernelArgs: 'any',
    meta: [{ key: 'always', value: 'always' }],
    systemExtensions: { officialExtensions: 'any' },
    bootloader: 'any',
    secureboot: { enrollKeys: 'any', includeWellKnownCertificates: 'any' },
    diskImage: { sectorSize: 'any' },
  },
};

/** YAML or JSON, as it was sent. */
export function keepSchematic(body: string): KeptSchematic {
  const given = treeOf(body);
  const sorted = inOrder(given, shape, '') as { readonly [key: string]: YamlValue };
  const canonical = { ...sorted, customization: sorted['customization'] ?? {} };
  const text = goYaml(canonical);
  return { id: createHash('sha256').update(text).digest('hex'), text, extensions: extensionsOf(canonical) };
}

function treeOf(body: string): Tree {
  let value: unknown;
  try {
    value = parse(body);
  } catch (error) {
    throw new WrongSchematic(`yaml: ${(error as Error).message}`);
  }
  if (value === null || value === undefined) throw new WrongSchematic('EOF');
  if (!isTree(value))
    throw new WrongSchematic('yaml: unmarshal errors:\n  line 1: cannot unmarshal into schematic.Schematic');
  return value;
}

/** Known fields in the factory’s order, without those that are empty. */
function inOrder(tree: Tree, known: Shape, path: string): YamlValue {
  for (const key of Object.keys(tree))
    if (!(key in known))
      throw new WrongSchematic(`yaml: unmarshal errors:\n  field ${path}${key} not found in type schematic.Schematic`);
  const entries = Object.entries(known).flatMap(([key, form]): [string, YamlValue][] => {
    const value = ordered(tree[key], form, `${path}${key}.`);
    return value === undefined || (form !== 'always' && isEmpty(key, value)) ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

function ordered(value: unknown, form: Shape[string], path: string): YamlValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof form === 'string') return value as YamlValue;
  if (!Array.isArray(form)) return isTree(value) ? inOrder(value, form as Shape, path) : undefined;
  if (!Array.isArray(value)) return undefined;
  return value.map((item: unknown) =>
    isTree(item) ? inOrder(item, (form as readonly [Shape])[0], path) : (item as YamlValue),
  );
}

const isEmpty = (key: string, value: YamlValue): boolean =>
  value === '' ||
  (key === 'bootloader' && value === 'auto') ||
  value === false ||
  value === 0 ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

function extensionsOf(schematic: { readonly [key: string]: YamlValue }): readonly string[] {
  const { systemExtensions } = schematic['customization'] as { readonly systemExtensions?: Tree };
  const names = systemExtensions?.['officialExtensions'];
  return Array.isArray(names) ? names.map(String) : [];
}

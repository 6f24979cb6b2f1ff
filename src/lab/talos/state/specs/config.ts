import { fromJson, toBinary, type JsonObject } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { WireType } from '@bufbuild/protobuf/wire';
import type { YamlValue } from '../go-yaml.ts';
import { inKeyOrder } from './key-order.ts';
import { list, text, word, type Kind } from './kind.ts';
import { at, shape, sparse, type Shape } from './shape.ts';
import { machineTypes } from './words.ts';

/** Free-form content, its keys sorted as Go’s YAML does. */
export const struct: Kind<JsonObject> = {
  zero: {},
  isZero: (value) => Object.keys(value).length === 0,
  write: (out, number, value) =>
    void out.tag(number, WireType.LengthDelimited).bytes(toBinary(StructSchema, fromJson(StructSchema, value))),
  yaml: (value) => sorted(value),
};

function sorted(value: JsonObject[string]): YamlValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(inKeyOrder(Object.entries(value)).map(([key, each]) => [key, sorted(each)]));
}

const typed = shape({ machineType: at(1, word(machineTypes, 'unknown')) });
export const machineType: typeof typed = { ...typed, yaml: (spec) => spec.machineType ?? 'unknown' };

const podStatus = shape({ podStatus: at(1, struct) });
export const staticPodStatus: typeof podStatus = { ...podStatus, yaml: (spec) => struct.yaml(spec.podStatus ?? {}) };

export const kubeletSpec = shape({
  image: at(1, text),
  args: sparse(2, list(text)),
  expectedNodename: sparse(4, text),
  config: at(5, struct),
  credentialProviderConfig: sparse(6, struct),
});

const written = shape({ text: at(1, text) });
/** The whole text as it was handed in, in YAML as one string. */
export const machineConfig: Shape<{ readonly text: string }> = { ...written, yaml: (spec) => spec.text };

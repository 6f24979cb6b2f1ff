import { fromJson, toBinary, type JsonObject } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { WireType } from '@bufbuild/protobuf/wire';
import { AsWritten, type YamlValue } from '../go-yaml.ts';
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
  if (typeof value === 'number') return new AsWritten(goFloat(value));
  if (typeof value !== 'object' || value === null) return value;
  return new Map(inKeyOrder(Object.entries(value)).map(([key, each]) => [key, sorted(each)]));
}

/** Free-form numbers are floats to Go, which writes a million as 1e+06. */
function goFloat(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return Object.is(value, -0) ? '-0' : String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const typed = shape({ machineType: at(1, word(machineTypes, 'unknown')) });
export const machineType: typeof typed = { ...typed, yaml: (spec) => spec.machineType ?? 'unknown' };

const podStatus = shape({ podStatus: at(1, struct) });
export const staticPodStatus: typeof podStatus = { ...podStatus, yaml: (spec) => struct.yaml(spec.podStatus ?? {}) };

const pod = shape({ pod: at(1, struct) });
export const staticPod: typeof pod = { ...pod, yaml: (spec) => struct.yaml(spec.pod ?? {}) };

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

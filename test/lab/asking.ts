import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { grpcCode } from '../../src/lab/grpc/status.ts';
import { call } from './caller.ts';
import type { Target } from './caller.ts';
import { requestBytes, responseJson } from './codec.ts';

export type Asked = {
  readonly code: string;
  readonly message: string;
  readonly replies: readonly (JsonValue | undefined)[];
};

/** One call by its name, in JSON both ways. */
export async function asked(
  target: Target,
  method: string,
  request: JsonObject = {},
  options: Parameters<typeof call>[3] = {},
): Promise<Asked> {
  const path = method.startsWith('/') ? method : `/machine.MachineService/${method}`;
  const { code, message, messages } = await call(target, path, [requestBytes(path, request)], options);
  const name = Object.entries(grpcCode).find(([, number]) => number === code)?.[0] ?? String(code);
  return { code: name, message, replies: messages.map((each) => responseJson(path, each)) };
}

/** The YAML of a resource; undefined when there is none, or nobody answers. */
export async function resource(
  target: Target,
  namespace: string,
  type: string,
  id: string,
): Promise<string | undefined> {
  const { replies } = await asked(target, '/cosi.resource.State/Get', { namespace, type, id }).catch(() => ({
    replies: [],
  }));
  const found = replies[0] as { readonly resource?: { readonly spec?: { readonly yaml_spec?: string } } } | undefined;
  return found?.resource?.spec?.yaml_spec;
}

export const machineStatus = (target: Target): Promise<string | undefined> =>
  resource(target, 'runtime', 'MachineStatuses.runtime.talos.dev', 'machine');

/** Looks again until it holds. */
export async function eventually<Value>(
  look: () => Promise<Value> | Value,
  holds: (value: Value) => boolean,
  ms = 20_000,
): Promise<Value> {
  for (const end = Date.now() + ms; ;) {
    const value = await look();
    if (holds(value)) return value;
    if (Date.now() > end) throw new Error(`It did not come about; the last look gave ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

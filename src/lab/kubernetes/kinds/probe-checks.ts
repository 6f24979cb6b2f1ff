import type { FieldError } from '../resource.ts';
import { complain, forbiddenField, invalidValue, isPort, nonNegative, portRange, required } from './errors.ts';
import { portNameComplaints } from './port-names.ts';
import { isTree, type Tree } from './tree.ts';

export function checkProbe(field: string, probe: Tree): readonly FieldError[] {
  const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'].filter((name) => isTree(probe[name]));
  return [
    ...(handlers.length === 0 ? [required(field, 'must specify a handler type')] : []),
    ...handlers.flatMap((name, at) =>
      at > 0
        ? [forbiddenField(`${field}.${name}`, 'may not specify more than 1 handler type')]
        : name === 'exec'
          ? []
          : checkPort(`${field}.${name}.port`, (probe[name] as Tree)['port']),
    ),
    ...['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'].flatMap(
      (name) => nonNegative(`${field}.${name}`, probe[name]),
    ),
    ...(field.endsWith('livenessProbe') || field.endsWith('startupProbe') ? onceIsEnough(field, probe) : []),
  ];
}

const onceIsEnough = (field: string, { successThreshold }: Tree): readonly FieldError[] =>
  successThreshold === undefined || successThreshold === 1
    ? []
    : [invalidValue(`${field}.successThreshold`, successThreshold, 'must be 1')];

/** By number or by name. */
export function checkPort(field: string, port: unknown): readonly FieldError[] {
  if (typeof port === 'string') return complain(field, port, portNameComplaints(port));
  return isPort(port) ? [] : [invalidValue(field, port ?? 0, portRange)];
}

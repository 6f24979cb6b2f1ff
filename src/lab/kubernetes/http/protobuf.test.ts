import { expect, test } from 'vitest';
import { decodeProtobuf } from './protobuf.ts';

const text = (number: number, value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
};
const count = (number: number, value: number): Buffer => Buffer.from([number << 3, value]);
const message = (number: number, ...parts: readonly Buffer[]): Buffer => text(number, Buffer.concat(parts));
const sent = (apiVersion: string, kind: string, ...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    message(1, text(1, apiVersion), text(2, kind)),
    message(2, ...parts),
    text(3, ''),
    text(4, ''),
  ]);

test('a config map: a map, and fields that are not in the order of their numbers', () => {
  const body = sent(
    'v1',
    'ConfigMap',
    message(1, text(1, 'a'), text(2, ''), message(8), message(11, text(1, 'x'), text(2, 'y'))),
    message(2, text(1, 'one'), text(2, '1')),
    message(2, text(1, 'two'), text(2, '2')),
    count(4, 0),
  );
  expect(decodeProtobuf(body)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', labels: { x: 'y' } },
    data: { one: '1', two: '2' },
    immutable: false,
  });
});

test('a deployment: pointers keep their zero, others do not; what JSON does not show is looked through', () => {
  const container = message(
    2,
    text(1, 'main'),
    message(10, message(1, message(2, text(1, '/'), message(2, count(1, 0), count(2, 80)))), count(2, 0)),
  );
  const body = sent('apps/v1', 'Deployment', message(2, count(1, 0), message(3, message(2, container)), count(5, 0)));
  expect(decodeProtobuf(body)).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: {
      replicas: 0,
      template: { spec: { containers: [{ name: 'main', livenessProbe: { httpGet: { path: '/', port: 80 } } }] } },
    },
  });
});

test('options of a request are of whichever group', () => {
  expect(decodeProtobuf(sent('apps/v1', 'DeleteOptions', count(1, 0), text(4, 'Foreground')))).toEqual({
    apiVersion: 'apps/v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: 0,
    propagationPolicy: 'Foreground',
  });
});

test.each([
  ['text that is something else', Buffer.from('{}'), 'provided data does not appear to be a protobuf message'],
  ['a kind that there is none of', sent('v1', 'Gnome'), 'no kind "Gnome" is registered for version "v1"'],
  ['less than it says', Buffer.from('k8s\0\x0a\x09'), 'unexpected EOF'],
])('%s', (_name, body, words) => {
  expect(() => decodeProtobuf(body)).toThrow(words);
});

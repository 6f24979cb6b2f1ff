import { expect } from 'vitest';
import { answers, type Case } from '../case.ts';
import type { Where } from '../world.ts';

const unknownWords = (path: string): string => {
  const [, service = '', method = ''] = path.split('/');
  const known = ['machine.MachineService', 'cosi.resource.State', 'machine.ImageService'].includes(service);
  return known ? `unknown method ${method} for service ${service}` : `unknown service ${service}`;
};

const paths = [
  'machine.MachineService/Nope',
  'machine.MachineService/GenerateConfiguration',
  'cosi.resource.State/Nope',
  'machine.ImageService/Nope',
  'a.B/C',
  'grpc.health.v1.Health/Check',
  'grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
];

const at = (stage: 'maintenance' | 'configured', where: Where): readonly Case[] =>
  paths.map((path) =>
    answers(
      `${stage}: /${path} is unknown before anybody asks who calls`,
      { stage, at: where, method: path, options: { as: stage === 'maintenance' ? 'nobody' : 'none' } },
      { code: 'UNIMPLEMENTED', message: unknownWords(`/${path}`), messages: [] },
    ),
  );

/** How an answer looks on the wire. */
export const wireCases: readonly Case[] = [
  ...at('maintenance', 'maintenance'),
  ...at('configured', 'controlPlane'),
  {
    stage: 'maintenance',
    name: 'wire: a refusal is trailers only, HTTP 200, with nothing else in it',
    run: async ({ call }) => {
      const { http, contentType, trailersOnly, more, code } = await call('maintenance', 'Reboot');
      expect({ http, contentType, trailersOnly, more, code }).toEqual({
        http: 200,
        contentType: 'application/grpc',
        trailersOnly: true,
        more: {},
        code: 'PERMISSION_DENIED',
      });
    },
  },
  {
    stage: 'maintenance',
    name: 'wire: a success has headers with a content type and nothing else, and trailers',
    run: async ({ call }) => {
      const { http, contentType, trailersOnly, more, code } = await call('maintenance', 'Version');
      expect({ http, contentType, trailersOnly, more, code }).toEqual({
        http: 200,
        contentType: 'application/grpc',
        trailersOnly: false,
        more: {},
        code: 'OK',
      });
    },
  },
  answers(
    'wire: gzip requests are understood',
    {
      stage: 'maintenance',
      at: 'maintenance',
      method: 'State/Get',
      request: { namespace: 'runtime', type: 'Versions.runtime.talos.dev', id: 'version' },
      options: { gzip: true },
    },
    { code: 'OK' },
  ),
  {
    stage: 'maintenance',
    name: 'wire: another content type is HTTP 415',
    run: async ({ call }) => {
      const { http } = await call('maintenance', 'Version', {}, { contentType: 'text/plain' });
      expect(http).toBe(415);
    },
  },
  answers(
    'wire: a body that is no message',
    {
      stage: 'maintenance',
      at: 'maintenance',
      method: 'ApplyConfiguration',
      options: { raw: [new Uint8Array([0x0a, 0x7f, 0x01])] },
    },
    { code: 'INTERNAL', message: 'grpc: error unmarshalling request: unexpected EOF', messages: [] },
  ),
  answers(
    'wire: more than 32 MiB is not received',
    { stage: 'maintenance', at: 'maintenance', method: 'ApplyConfiguration', options: { pretendLength: 33_554_433 } },
    {
      code: 'RESOURCE_EXHAUSTED',
      message: 'grpc: received message larger than max (33554433 vs. 33554432)',
      messages: [],
    },
  ),
];

import { answers, type Case } from '../case.ts';

const at = 'controlPlane';
const stage = 'configured';
const version = { namespace: 'runtime', type: 'Versions.runtime.talos.dev' };
const resource = (type: string): object => ({
  metadata: { namespace: 'runtime', type, id: 'x', version: '1', phase: 'running' },
  spec: { yamlSpec: '{}' },
});
const refused = { code: 'PERMISSION_DENIED', message: 'write access is not allowed', messages: [] } as const;

/** The state is read only, for administrators too. */
export const writeCases: readonly Case[] = [
  answers(
    'state: an administrator may not create',
    { stage, at, method: 'State/Create', request: { resource: resource(version.type) as never } },
    refused,
  ),
  answers(
    'state: not even what nobody knows',
    { stage, at, method: 'State/Create', request: { resource: resource('Nope.talos.dev') as never } },
    refused,
  ),
  answers(
    'state: an administrator may not update',
    {
      stage,
      at,
      method: 'State/Update',
      request: { newResource: resource(version.type) as never, options: { expectedPhase: 'running' } },
    },
    refused,
  ),
  answers(
    'state: an update without options is a bug of the node that everybody sees',
    { stage, at, method: 'State/Update', request: { newResource: resource(version.type) as never } },
    { code: 'INTERNAL', message: 'runtime error: invalid memory address or nil pointer dereference', messages: [] },
  ),
  answers(
    'state: an administrator may not destroy',
    { stage, at, method: 'State/Destroy', request: { ...version, id: 'version' } },
    refused,
  ),
  ...(['reader', 'operator'] as const).flatMap((as) => [
    answers(
      `state: ${as} may not read secrets`,
      {
        stage,
        at,
        method: 'State/Get',
        request: { namespace: 'config', type: 'MachineConfigs.config.talos.dev', id: 'v1alpha1' },
        options: { as },
      },
      { code: 'PERMISSION_DENIED', message: 'not authorized', messages: [] },
    ),
    answers(
      `state: ${as} may not write`,
      { stage, at, method: 'State/Create', request: { resource: resource(version.type) as never }, options: { as } },
      { code: 'PERMISSION_DENIED', message: 'not authorized', messages: [] },
    ),
  ]),
];

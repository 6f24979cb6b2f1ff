import { expect } from 'vitest';
import { bad, holds, invalid, like, plain, refuses, time, unknown, type Chapter } from '../case.ts';
import { configMap, secret } from '../objects.ts';
import type { World } from '../world.ts';

const mapA = (world: World): Promise<unknown> => world.make('configmaps', configMap('a', { colour: 'red' }));

export const creating: Chapter = {
  title: 'creating',
  cases: [
    holds('what is made is answered whole, with 201', async ({ ask, ns }) => {
      const { status, body } = await ask('POST configmaps?fieldManager=me', configMap('a', { colour: 'red' }));
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: 'a',
            namespace: ns,
            uid: like(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
            resourceVersion: like(/^[1-9]\d*$/),
            creationTimestamp: time(),
            managedFields: [
              {
                manager: 'me',
                operation: 'Update',
                apiVersion: 'v1',
                time: time(),
                fieldsType: 'FieldsV1',
                fieldsV1: { 'f:data': { '.': {}, 'f:colour': {} } },
              },
            ],
          },
          data: { colour: 'red' },
        },
      });
    }),
    refuses(
      'a name that is taken',
      { given: mapA, call: 'POST configmaps', body: configMap('a') },
      {
        code: 409,
        reason: 'AlreadyExists',
        message: 'configmaps "a" already exists',
        details: { name: 'a', kind: 'configmaps' },
      },
    ),
    holds('generateName gives a name with five more letters', async ({ make }) => {
      const made = await make('configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { generateName: 'some-' },
      });
      expect(made.metadata.name).toMatch(/^some-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      expect(made.metadata.generateName).toBe('some-');
    }),
    refuses(
      'without any name',
      { call: 'POST configmaps', body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} } },
      {
        code: 422,
        reason: 'Invalid',
        message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
        details: {
          kind: 'ConfigMap',
          causes: [
            {
              reason: 'FieldValueRequired',
              message: 'Required value: name or generateName is required',
              field: 'metadata.name',
            },
          ],
        },
      },
    ),
    refuses(
      'a name that DNS would not take',
      { call: 'POST configmaps', body: configMap('Under_score') },
      invalid('ConfigMap', 'Under_score', [
        [
          'metadata.name',
          'FieldValueInvalid',
          `Invalid value: "Under_score": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        ],
      ]),
    ),
    refuses(
      'into another namespace than the path says',
      { call: 'POST configmaps', body: configMap('a', {}, { namespace: 'elsewhere' }) },
      bad('the namespace of the provided object does not match the namespace sent on the request'),
    ),
    refuses(
      'into a namespace that is not there',
      { call: 'POST /api/v1/namespaces/nowhere/configmaps', body: configMap('a') },
      unknown('namespaces', 'nowhere'),
    ),
    refuses(
      'a kind at the door of another',
      { call: 'POST configmaps', body: secret('a') },
      bad(
        'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
      ),
    ),
    refuses(
      'a version at the door of another',
      { call: 'POST configmaps', body: { ...configMap('a'), apiVersion: 'v2' } },
      bad(
        'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
      ),
    ),
    refuses(
      'text that is not JSON',
      { call: 'POST configmaps', body: 'colour' },
      bad(
        "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'c' looking for beginning of value (636f6c6f7572)",
      ),
    ),
    holds('without kind and version it is what the path says', async ({ make }) => {
      const made = await make('configmaps', { metadata: { name: 'a' } });
      expect(made).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    }),
    refuses(
      'a body of a kind of text that nobody reads',
      { call: 'POST configmaps', body: 'a=b', type: 'text/plain' },
      {
        code: 415,
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      },
    ),
    holds('a body may be YAML', async ({ ask }) => {
      const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  one: "1"\n';
      const { status, body } = await ask('POST configmaps', undefined, { type: 'application/yaml', body: text });
      expect({ status, object: plain(body) }).toMatchObject({ status: 201, object: { data: { one: '1' } } });
    }),
    refuses(
      'a number where text must be',
      { call: 'POST configmaps', body: { ...configMap('a'), data: { one: 1 } } },
      bad(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      ),
    ),
    refuses(
      'an unknown field, when one is strict',
      { call: 'POST configmaps?fieldValidation=Strict', body: { ...configMap('a'), dada: {} } },
      bad('ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dada"'),
    ),
    holds('an unknown field is a warning, when nobody says anything', async ({ ask }) => {
      const { status, headers } = await ask('POST configmaps', { ...configMap('a'), dada: {} });
      expect({ status, warning: headers['warning'] }).toEqual({
        status: 201,
        warning: '299 - "unknown field \\"dada\\""',
      });
    }),
    holds('an unknown field is nothing, when it is to be ignored', async ({ ask }) => {
      const { status, headers } = await ask('POST configmaps?fieldValidation=Ignore', { ...configMap('a'), dada: {} });
      expect({ status, warning: headers['warning'] }).toEqual({ status: 201, warning: undefined });
    }),
    refuses(
      'a field twice, when one is strict',
      {
        call: 'POST configmaps?fieldValidation=Strict',
        body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1","a":"2"}}',
      },
      bad(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a"',
      ),
    ),
    refuses(
      'a way to look at fields that there is none of',
      { call: 'POST configmaps?fieldValidation=Maybe', body: configMap('a') },
      {
        code: 422,
        reason: 'Invalid',
        message:
          'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"',
        details: {
          group: 'meta.k8s.io',
          kind: 'CreateOptions',
          causes: [
            {
              reason: 'FieldValueNotSupported',
              message: 'Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"',
              field: 'fieldValidation',
            },
          ],
        },
      },
    ),
    holds('a dry run answers as if it were done, and nothing is', async ({ ask }) => {
      const { status, body } = await ask('POST configmaps?dryRun=All', configMap('a'));
      expect({ status, metadata: (body as { metadata: object }).metadata }).toMatchObject({
        status: 201,
        metadata: { name: 'a', uid: like(/^[0-9a-f-]{36}$/), creationTimestamp: time() },
      });
      expect((body as { metadata: object }).metadata).not.toHaveProperty('resourceVersion');
      expect((await ask('GET configmaps/a')).status).toBe(404);
    }),
    refuses(
      'a dry run of a kind that there is none of',
      { call: 'POST configmaps?dryRun=Some', body: configMap('a') },
      {
        code: 422,
        reason: 'Invalid',
        message:
          'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
        details: {
          group: 'meta.k8s.io',
          kind: 'CreateOptions',
          causes: [
            {
              reason: 'FieldValueNotSupported',
              message: 'Unsupported value: ["Some"]: supported values: "All"',
              field: 'dryRun',
            },
          ],
        },
      },
    ),
    refuses(
      'with a resource version',
      { call: 'POST configmaps', body: configMap('a', {}, { resourceVersion: '1' }) },
      {
        code: 500,
        message: 'resourceVersion should not be set on objects to be created',
      },
    ),
    refuses(
      'a label that is none',
      { call: 'POST configmaps', body: configMap('a', {}, { labels: { 'a b': 'c' } }) },
      invalid('ConfigMap', 'a', [
        [
          'metadata.labels',
          'FieldValueInvalid',
          `Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        ],
      ]),
    ),
    refuses(
      'a value of a label that is too long',
      { call: 'POST configmaps', body: configMap('a', {}, { labels: { a: 'x'.repeat(64) } }) },
      invalid('ConfigMap', 'a', [
        ['metadata.labels', 'FieldValueInvalid', `Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`],
      ]),
    ),
    refuses(
      'a finalizer without a domain',
      { call: 'POST configmaps', body: configMap('a', {}, { finalizers: ['wait'] }) },
      invalid('ConfigMap', 'a', [
        [
          'metadata.finalizers[0]',
          'FieldValueInvalid',
          'Invalid value: "wait": name is neither a standard finalizer name nor is it fully qualified',
        ],
      ]),
    ),
    refuses(
      'an owner without a uid',
      {
        call: 'POST configmaps',
        body: configMap('a', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: '' }] }),
      },
      invalid('ConfigMap', 'a', [
        ['metadata.ownerReferences.uid', 'FieldValueInvalid', 'Invalid value: "": must not be empty'],
      ]),
    ),
    refuses(
      'two owners that both control',
      {
        call: 'POST configmaps',
        body: configMap(
          'a',
          {},
          {
            ownerReferences: ['b', 'c'].map((name) => ({
              apiVersion: 'v1',
              kind: 'ConfigMap',
              name,
              uid: name,
              controller: true,
            })),
          },
        ),
      },
      invalid('ConfigMap', 'a', [
        [
          'metadata.ownerReferences',
          'FieldValueInvalid',
          'Invalid value: [{"apiVersion":"v1","kind":"ConfigMap","name":"b","uid":"b","controller":true},{"apiVersion":"v1","kind":"ConfigMap","name":"c","uid":"c","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for ConfigMap/b and ConfigMap/c',
        ],
      ]),
    ),
  ],
};

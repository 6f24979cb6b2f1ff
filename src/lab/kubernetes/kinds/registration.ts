import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { invalidValue, required } from './errors.ts';
import { fill, isEmpty, isTree, text, texts, type Tree, tree, trees, within } from './tree.ts';

function defaultWebhook(webhook: Tree): void {
  fill(webhook, { failurePolicy: 'Fail', matchPolicy: 'Equivalent' });
  webhook['namespaceSelector'] ??= {};
  webhook['objectSelector'] ??= {};
  webhook['timeoutSeconds'] ??= 10;
  const { service } = tree(webhook['clientConfig']);
  if (isTree(service)) service['port'] ??= 443;
  for (const rule of trees(webhook['rules'])) fill(rule, { scope: '*' });
}

const checkWebhooks = (configuration: KubeObject): readonly FieldError[] =>
  trees(configuration['webhooks']).flatMap((webhook, at) => {
    const field = `webhooks[${at}]`;
    const { name, sideEffects, clientConfig, admissionReviewVersions } = webhook;
    const { url, service } = tree(clientConfig);
    return [
      ...(text(name).split('.').length < 3
        ? [
            invalidValue(
              `${field}.name`,
              text(name),
              'should be a domain with at least three segments separated by dots',
            ),
          ]
        : []),
      ...((sideEffects ?? '') === ''
        ? [required(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun')]
        : []),
      ...((url === undefined) === (service === undefined)
        ? [required(`${field}.clientConfig`, 'exactly one of url or service is required')]
        : []),
      ...(isEmpty(admissionReviewVersions)
        ? [required(`${field}.admissionReviewVersions`, 'must specify one of v1, v1beta1')]
        : []),
    ];
  });

export const validatingWebhookStrategy: Strategy = {
  defaults: (configuration) => trees(configuration['webhooks']).forEach(defaultWebhook),
  validate: checkWebhooks,
  validateUpdate: checkWebhooks,
};

export const mutatingWebhookStrategy: Strategy = {
  ...validatingWebhookStrategy,
  defaults: (configuration) => {
    for (const webhook of trees(configuration['webhooks'])) {
      defaultWebhook(webhook);
      fill(webhook, { reinvocationPolicy: 'Never' });
    }
  },
};

export const apiServiceStrategy: Strategy = {
  defaults: (of) => {
    const { service } = tree(of['spec']);
    if (isTree(service)) service['port'] ??= 443;
  },
  prepareCreate: (of) => void (of['status'] = {}),
};

const pem = /-----BEGIN CERTIFICATE REQUEST-----/;

export const signingRequestStrategy: Strategy = {
  prepareCreate: (request, { user }) => {
    request['status'] = {};
    const spec = within(request, 'spec');
    spec['username'] = user.name;
    spec['groups'] = [...user.groups];
    if (user.uid !== undefined) spec['uid'] = user.uid;
    if (user.extra !== undefined) spec['extra'] = user.extra;
  },
  prepareUpdate: (next, old) => void (next['spec'] = old['spec']),
  validate: (request) => {
    const spec = tree(request['spec']);
    const text64 = text(spec['request']);
    return [
      ...(pem.test(Buffer.from(text64, 'base64').toString('latin1'))
        ? []
        : [invalidValue('spec.request', text64, 'PEM block type must be CERTIFICATE REQUEST')]),
      ...(texts(spec['usages']).length === 0 ? [required('spec.usages')] : []),
      ...(text(spec['signerName']) === '' ? [required('spec.signerName')] : []),
    ];
  },
};

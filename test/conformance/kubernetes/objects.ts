import type { Manifest } from '../../../src/model/manifest.ts';

/** The objects that cases speak of, as small as the API takes them. */
export const configMap = (name: string, data: Readonly<Record<string, string>> = {}, more: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  ...(Object.keys(data).length === 0 ? {} : { data }),
});

export const labelled = (name: string, labels: Readonly<Record<string, string>>): Manifest =>
  configMap(name, {}, { labels });

export const secret = (name: string, more: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  ...more,
});

export const pod = (name: string, spec: object = {}, metadata: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'pause' }], ...spec },
});

export const template = (app: string, containers: readonly object[] = [{ name: 'main', image: 'pause' }]): object => ({
  metadata: { labels: { app } },
  spec: { containers },
});

export const deployment = (name: string, spec: object = {}, metadata: object = {}): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, ...metadata },
  spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: template(name), ...spec },
});

export const service = (name: string, spec: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

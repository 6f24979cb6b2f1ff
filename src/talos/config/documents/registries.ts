import { present, type DocumentRow } from '../table.ts';

const because = 'cluster.registries';

export const registryRows: readonly DocumentRow[] = [
  {
    kind: 'RegistryAuthConfig',
    since: '1.12',
    because,
    documents: ({ registries }) =>
      registries.credentials.map(({ host, username, password }) => ({ name: host, username, password })),
  },
  {
    kind: 'RegistryMirrorConfig',
    since: '1.12',
    because,
    documents: ({ registries }) =>
      registries.mirrors.map(({ host, endpoints, overridePath, skipFallback }) =>
        present({
          name: host,
          endpoints: endpoints.map((url) => present({ url, overridePath: overridePath || undefined })),
          skipFallback: skipFallback || undefined,
        }),
      ),
  },
  {
    kind: 'RegistryTLSConfig',
    since: '1.12',
    because,
    documents: ({ registries }) =>
      registries.credentials.flatMap(({ host, ca }) => (ca === undefined ? [] : [{ name: host, ca }])),
  },
];

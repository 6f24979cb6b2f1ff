import type { Input } from '../src/spec/documents.ts';
import { read } from '../src/spec/read.ts';

const proxmox = '{ proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1, pve2, pve3] } }';

/** A small Platform. Each section is one line of flow style, from line 5 on; machines come from Proxmox unless it says otherwise. */
export const platformFile = (sections: Readonly<Record<string, string>> = {}, name = 'prod'): string =>
  [
    'apiVersion: ichor.dev/v1alpha1',
    'kind: Platform',
    `metadata: { name: ${name} }`,
    'spec:',
    ...Object.entries({ machines: proxmox, ...sections }).map(([section, value]) => `  ${section}: ${value}`),
    '',
  ].join('\n');

/** Everything that is said about a file or several, as one line each: place, code, message, remedy. */
export const said = (input: string | Input): readonly string[] =>
  read(typeof input === 'string' ? { sources: [{ name: '', content: input }] } : input).problems.map(
    ({ at, code, severity, message, remedy }) =>
      `${at?.file ? `${at.file}:` : ''}${at?.line}:${at?.column} ${severity === 'warning' ? 'warning ' : ''}${code}: ${message} | ${remedy}`,
  );

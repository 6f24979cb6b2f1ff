import type { Platform } from '../src/spec/platform.ts';
import { read } from '../src/spec/read.ts';
import { platformFile } from './said.ts';

/** One control plane and one worker that are there already, at addresses that a test chooses. */
export const twoMachines = (
  addresses: { readonly cp: string; readonly worker: string } = { cp: '10.10.0.11', worker: '10.10.0.21' },
  cluster = '',
): string =>
  platformFile({
    machines: `{ existing: { machines: { cp-0: { address: ${addresses.cp} }, general-0: { address: ${addresses.worker} } } } }`,
    cluster: `{ controlPlane: { replicas: 1 }, workers: { general: { replicas: 1 } }${cluster === '' ? '' : `, ${cluster}`} }`,
  });

export function platformOf(text: string): Platform {
  const { platforms, problems } = read({ sources: [{ name: 'platform.yaml', content: text }] });
  const [platform] = platforms;
  if (platform === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return platform;
}

import type { Mark } from '../model/observed.ts';
import { Problem } from '../model/problem.ts';
import type { Platform } from '../spec/platform.ts';

/** Where a secret is, by the word that the provider knows it under, and where the file says so. */
type ProviderReference = {
  readonly key: 'token' | 'password';
  readonly path: string;
  readonly reference: Readonly<Partial<Record<'env' | 'file' | 'age' | 'keyring' | 'vault', string | undefined>>>;
};

/** What the provider of a platform must be handed before it can be asked anything: secrets, and files that the platform names. */
export type ProviderNeeds = {
  readonly references: readonly ProviderReference[];
  /** Path of a certificate authority. */
  readonly ca: string | undefined;
};

export function providerNeeds({ provider, name }: Platform): ProviderNeeds {
  if (provider.kind !== 'proxmox')
    throw new Problem(
      'no-api',
      `The machines of "${name}" come from ${provider.kind}, and ichor cannot ask that yet.`,
      {
        remedy: 'Ask platforms whose machines are proxmox, or name one with --only.',
      },
    );
  const { token, login, tls } = provider;
  const path = 'spec.machines.proxmox';
  return {
    references: [
      ...(token === undefined ? [] : [{ key: 'token', path: `${path}.token`, reference: token } as const]),
      ...(login === undefined
        ? []
        : [{ key: 'password', path: `${path}.login.password`, reference: login.password } as const]),
    ],
    ca: tls.ca,
  };
}

/** Whether what the hosts can carry is only known to them: the file does not declare it for all. */
export const capacityIsOpen = ({ provider }: Platform): boolean =>
  provider.kind === 'proxmox' && provider.hosts.some((host) => provider.capacity?.[host] === undefined);

/** Whether there is somebody who could be asked about the machines. */
export const hasApi = ({ provider }: Platform): boolean => provider.kind === 'proxmox';

/** Machines that somebody else may have made, by what the file fixes of them: both words, or it is nobody’s. */
export const adoptedMachines = ({
  name: platform,
  machines,
}: Platform): readonly { readonly mark: Mark; readonly vmid: number }[] =>
  machines.flatMap(({ name, fixed: { vmid, uuid } }) =>
    vmid === undefined || uuid === undefined ? [] : [{ mark: { platform, name, uuid: uuid.toLowerCase() }, vmid }],
  );

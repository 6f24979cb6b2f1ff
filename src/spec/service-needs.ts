import type { ServiceName } from './schema/catalog.ts';

/** One of these must be there; the first is what ichor suggests. */
type Need = { readonly anyOf: readonly ServiceName[]; readonly because: string };

export type ServiceNeeds = {
  readonly needs: readonly Need[];
  /** Brought up after these, when they are there. */
  readonly after: readonly ServiceName[];
  /** Is reached by name from outside. */
  readonly web: boolean;
  /** Keeps data on a volume. */
  readonly volume: boolean;
  /** Users can sign in to it through authentik. */
  readonly signIn: boolean;
};

const ingress: Need = { anyOf: ['ingress-nginx'], because: 'it is reached through an ingress' };
const certificates: Need = { anyOf: ['cert-manager'], because: 'its certificate comes from there' };
const volumes: Need = { anyOf: ['longhorn', 'proxmox-csi'], because: 'it keeps data on a volume' };

const base: ServiceNeeds = { needs: [], after: [], web: false, volume: false, signIn: false };
const website = { needs: [ingress, certificates, volumes], web: true, volume: true } as const;

/** What each service of the catalog stands on. */
export const serviceNeeds: Readonly<Record<ServiceName, ServiceNeeds>> = {
  metallb: base,
  'cert-manager': base,
  'ingress-nginx': { ...base, after: ['metallb', 'cert-manager'] },
  'proxmox-csi': base,
  longhorn: base,
  'sealed-secrets': base,
  vault: { ...base, ...website, signIn: true },
  'external-secrets': { ...base, after: ['vault'] },
  authentik: { ...base, ...website },
  harbor: { ...base, ...website, after: ['authentik'], signIn: true },
  gitea: { ...base, ...website, after: ['authentik', 'metallb'], signIn: true },
  matrix: { ...base, ...website, after: ['authentik'], signIn: true },
  powerdns: { ...base, needs: [volumes], after: ['metallb'], volume: true },
};

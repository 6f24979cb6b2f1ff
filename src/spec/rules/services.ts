import { isGiven } from '../check.ts';
import { domainOf } from '../derived.ts';
import type { PlatformDraft } from '../expand.ts';
import type { ServiceName } from '../schema/catalog.ts';
import { serviceNeeds } from '../service-needs.ts';
import type { Said } from './rule.ts';

const at = (...steps: (string | number)[]) => ['spec', 'services', ...steps];
const inCatalog = (...steps: (string | number)[]) => at('catalog', ...steps);

const chosen = ({ spec }: PlatformDraft): readonly ServiceName[] =>
  Object.keys(spec.services?.catalog ?? {}) as ServiceName[];

/** What a service stands on must be there too. */
export function* neededServices(platform: PlatformDraft): Iterable<Said> {
  const catalog = platform.spec.services?.catalog ?? {};
  const present = new Set(chosen(platform));
  for (const service of present) {
    const entry = (catalog[service] ?? {}) as { readonly storageClass?: string };
    for (const { anyOf, because } of serviceNeeds[service].needs) {
      if (anyOf.some((name) => present.has(name))) continue;
      const ownClass = anyOf.includes('longhorn') && isGiven(entry, 'storageClass');
      if (ownClass) continue;
      const suggested = anyOf.includes('proxmox-csi') && platform.spec.machines?.proxmox ? 'proxmox-csi' : anyOf[0];
      yield {
        path: inCatalog(service),
        code: 'needs-service',
        message: `${service} needs ${anyOf.join(' or ')}: ${because}.`,
        remedy: `Add "${suggested}: {}" to services.catalog${anyOf.includes('longhorn') ? `, or name a storage class of your own: "storageClass: …"` : ''}.`,
      };
    }
  }
}

export function* serviceHosts(platform: PlatformDraft): Iterable<Said> {
  const catalog = platform.spec.services?.catalog ?? {};
  const domain = domainOf(platform);
  const issuers = Object.keys(catalog['cert-manager']?.issuers ?? {});
  const owners = new Map<string, string>();
  for (const service of chosen(platform).filter((name) => serviceNeeds[name].web)) {
    const entry = catalog[service] as { readonly host?: string; readonly issuer?: string } | undefined;
    const host = entry?.host ?? (domain === undefined ? undefined : `${service}.${domain}`);
    if (host === undefined && (isGiven(entry, 'host') || isGiven(platform.spec.services, 'domain'))) continue;
    if (host === undefined) {
      yield {
        path: inCatalog(service),
        code: 'no-host',
        message: `${service} has no name to be reached at.`,
        remedy: `Set services.domain, or "host:" for ${service}.`,
      };
      continue;
    }
    const owner = owners.get(host);
    if (owner !== undefined)
      yield {
        path: inCatalog(service),
        code: 'same-host',
        message: `${service} and ${owner} are both called ${host}.`,
        remedy: 'Give each its own host.',
      };
    owners.set(host, service);
    if (entry?.issuer !== undefined && catalog['cert-manager'] !== undefined && !issuers.includes(entry.issuer)) {
      yield {
        path: inCatalog(service, 'issuer'),
        code: 'unknown-issuer',
        message: `cert-manager has no issuer "${entry.issuer}".`,
        remedy: `Issuers: ${issuers.join(', ') || 'none'}.`,
      };
    }
  }
}

export function* storageClasses(platform: PlatformDraft): Iterable<Said> {
  const { spec } = platform;
  const catalog = spec.services?.catalog ?? {};
  const defaults = Object.entries(catalog['proxmox-csi']?.classes ?? {}).filter(
    ([, settings]) => settings?.default === true,
  );
  const csiDefault = defaults.at(-1)?.[0];
  if (csiDefault !== undefined && (defaults.length > 1 || catalog.longhorn?.default === true)) {
    yield {
      path: inCatalog('proxmox-csi', 'classes', csiDefault, 'default'),
      code: 'two-defaults',
      message: 'A cluster has one default storage class, and here are several.',
      remedy: 'Set default: false for the others (longhorn.default is true by itself).',
    };
  }
  if (catalog['proxmox-csi'] !== undefined && spec.machines !== undefined && spec.machines.proxmox === undefined) {
    yield {
      path: inCatalog('proxmox-csi'),
      code: 'needs-provider',
      message: 'proxmox-csi gives volumes of Proxmox datastores, and the machines are not on Proxmox.',
      remedy: 'Use longhorn.',
    };
  }
}

const longhornExtensions = ['iscsi-tools', 'util-linux-tools'];

export function* longhorn(platform: PlatformDraft): Iterable<Said> {
  const { spec } = platform;
  const entry = spec.services?.catalog?.longhorn;
  if (entry === undefined) return;
  const extensions = (spec.cluster?.talos?.extensions ?? longhornExtensions).map((extension) =>
    extension?.replace('siderolabs/', ''),
  );
  const missing = extensions.includes(undefined)
    ? []
    : longhornExtensions.filter((extension) => !extensions.includes(extension));
  if (missing.length > 0) {
    yield {
      path: inCatalog('longhorn'),
      code: 'needs-extension',
      message: `Longhorn needs the Talos ${missing.length === 1 ? 'extension' : 'extensions'} ${missing.join(' and ')}.`,
      remedy: `Add ${missing.join(', ')} to cluster.talos.extensions.`,
    };
  }
  const pools = Object.values(spec.cluster?.workers ?? {});
  const carriers = pools.reduce(
    (total, pool) => total + (pool?.disks?.['longhorn'] === undefined ? 0 : (pool.replicas ?? 0)),
    0,
  );
  if (pools.length > 0 && carriers === 0) {
    yield {
      path: inCatalog('longhorn'),
      code: 'no-data-disk',
      severity: 'warning',
      message: 'No worker pool has a data disk called longhorn: volumes would live on the system disks.',
      remedy: 'Add "disks: { longhorn: 200GiB }" to a pool.',
    };
  } else if (entry.replicas !== undefined && carriers > 0 && carriers < entry.replicas) {
    yield {
      path: inCatalog('longhorn', 'replicas'),
      code: 'too-few-copies',
      severity: 'warning',
      message: `Longhorn keeps ${entry.replicas} copies, and only ${carriers} ${carriers === 1 ? 'machine has' : 'machines have'} a disk for it.`,
      remedy: `Set longhorn.replicas: ${carriers}, or add workers with a longhorn disk.`,
    };
  }
}

export function* services({ spec }: PlatformDraft): Iterable<Said> {
  const { metallb, vault } = spec.services?.catalog ?? {};
  if (metallb?.pools && !isGiven(metallb, 'pool') && Object.keys(metallb.pools).length === 0) {
    yield {
      path: inCatalog('metallb'),
      code: 'no-pool',
      message: 'MetalLB needs addresses to give.',
      remedy: 'Add for example "pool: 10.10.0.64/27".',
    };
  }
  if (metallb?.mode === 'bgp' && (!isGiven(metallb, 'asn') || metallb.peers?.length === 0)) {
    yield {
      path: inCatalog('metallb', 'mode'),
      code: 'no-peers',
      message: 'Mode bgp needs asn and peers.',
      remedy: 'Add for example "asn: 64512" and "peers: [{ address: 10.10.0.1, asn: 64513 }]".',
    };
  }
  if (vault?.replicas !== undefined && vault.replicas % 2 === 0) {
    yield {
      path: inCatalog('vault', 'replicas'),
      code: 'no-majority',
      message: 'Vault’s members vote: their number must be odd.',
      remedy: `Use ${vault.replicas - 1} or ${vault.replicas + 1}.`,
    };
  }
}

export function* gitCredentials({ spec }: PlatformDraft): Iterable<Said> {
  for (const tool of ['flux', 'argocd'] as const) {
    const repository = spec.services?.gitops?.[tool];
    if (repository?.url === undefined) continue;
    const ssh = repository.url.startsWith('ssh://');
    const wrong = ssh ? repository.credentials?.token && 'token' : repository.credentials?.sshKey && 'sshKey';
    if (!wrong) continue;
    yield {
      path: at('gitops', tool, 'credentials', wrong),
      code: 'no-effect',
      message: `${wrong === 'token' ? 'A token is for https' : 'A key is for ssh'}, and the repository is ${repository.url}.`,
      remedy: `Use ${ssh ? 'sshKey' : 'token'}, or the repository’s ${ssh ? 'https' : 'ssh'} address.`,
    };
  }
}

export function* configured({ spec }: PlatformDraft): Iterable<Said> {
  const catalog = spec.services?.catalog;
  const layers = [
    {
      path: ['spec', 'configuration', 'dns', 'powerdns'],
      name: 'powerdns',
      there: catalog?.powerdns !== undefined,
      settings: spec.configuration?.dns?.powerdns,
      given: isGiven(spec.configuration?.dns?.powerdns, 'apiKey'),
      key: 'apiKey',
      variable: 'POWERDNS_API_KEY',
    },
    {
      path: ['spec', 'configuration', 'sso', 'authentik'],
      name: 'authentik',
      there: catalog?.authentik !== undefined,
      settings: spec.configuration?.sso?.authentik,
      given: isGiven(spec.configuration?.sso?.authentik, 'token'),
      key: 'token',
      variable: 'AUTHENTIK_TOKEN',
    },
  ];
  for (const { path, name, there, settings, given, key, variable } of layers) {
    if (settings === undefined) continue;
    if (!isGiven(settings, 'url') && !there)
      yield {
        path,
        code: 'needs-service',
        message: `There is no ${name} to configure.`,
        remedy: `Add "${name}: {}" to services.catalog, or give url and ${key} of one elsewhere.`,
      };
    if (isGiven(settings, 'url') && !given)
      yield {
        path,
        code: 'no-credential',
        message: `To reach ${name} at its url, ${key} is needed.`,
        remedy: `Add "${key}: { env: ${variable} }", or file, age, keyring, vault.`,
      };
  }
}

export function* signIn(platform: PlatformDraft): Iterable<Said> {
  const applications = platform.spec.configuration?.sso?.authentik?.applications ?? [];
  const present = chosen(platform);
  const possible = Object.entries(serviceNeeds)
    .filter(([, needs]) => needs.signIn)
    .map(([name]) => name);
  for (const [index, application] of applications.entries()) {
    const path = ['spec', 'configuration', 'sso', 'authentik', 'applications', index];
    if (application === undefined) continue;
    if (!possible.includes(application)) {
      yield {
        path,
        code: 'unknown-value',
        message: `Sign-in to "${application}" is not something ichor can set up by itself.`,
        remedy: `Use ${possible.join(', ')}, or describe it under custom.`,
      };
    } else if (!present.includes(application as ServiceName)) {
      yield {
        path,
        code: 'needs-service',
        message: `${application} is not in services.catalog.`,
        remedy: `Add "${application}: {}" there.`,
      };
    }
  }
}

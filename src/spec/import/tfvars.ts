import { parseVersion } from '../../model/version.ts';
import { lift } from './lift.ts';
import { under } from './configuration.ts';
import type { Part } from './foreign.ts';
import { identityOf } from './identity.ts';
import { putInlineManifests, putManifestUrls } from './manifests.ts';
import { carry, secretsOnly } from './prune.ts';
import { Sketch } from './sketch.ts';
import { putControlPlanes, putPlacement, putWorkers } from './tfvars-machines.ts';
import { putProxmox } from './tfvars-proxmox.ts';

/**
 * The variables of Terraform modules that build Talos on Proxmox. Each setting is looked for in the places where such
 * modules have it, the usual one first.
 */
export function fromTfvars(root: Part, wanted: string | undefined): Sketch {
  const { platform, cluster } = identityOf(root, root.find('cluster_name', 'cluster_identity.name'), wanted);
  const sketch = new Sketch(platform);
  if (cluster !== undefined && cluster !== platform) sketch.put('cluster.name', cluster);
  const environment = root.find('environment', 'env');
  sketch.put('environment', environment?.text(), environment);

  putProxmox(root, sketch);
  const controlPlanes = putControlPlanes(root, sketch);
  const workers = putWorkers(root, sketch);
  const prefix = cluster ?? platform;
  sketch.put('cluster.names', {
    controlPlane: `${prefix === platform ? '{platform}' : prefix}-cp-{number:2}`,
    worker: `${prefix === platform ? '{platform}' : prefix}-wk-{number:2}`,
  });
  sketch.comment('cluster.names', 'As the machines are called today.');
  putPlacement(root, sketch, { prefix, controlPlanes, workers });

  putEndpoint(root, sketch);
  putTalos(root, sketch);
  putConfiguration(root, sketch);
  return sketch;
}

function putEndpoint(root: Part, sketch: Sketch): void {
  const balancer = root.find('load_balancer');
  const enabled = balancer?.find('enabled');
  if (enabled?.flag() === false) {
    balancer?.leave();
    return;
  }
  const strategy = balancer?.find('strategy');
  const kind = strategy?.text() ?? 'talos_native';
  const address = root.find(
    'load_balancer.vip',
    'load_balancer.address',
    'talos.control_plane_machine_config.vip.ip',
    'control_plane_vip',
    'cluster_vip',
    'vip',
  );
  const link = root.find('load_balancer.interface', 'talos.control_plane_machine_config.vip.interface');
  const port = root.find('load_balancer.port');
  if (address === undefined) return;
  if (kind === 'talos_native') {
    sketch.put('cluster.endpoint.vip', address.text(), address);
    sketch.put('cluster.endpoint.link', link?.text(), link);
  } else {
    sketch.put('cluster.endpoint.host', address.text(), address);
    link?.leave();
    strategy?.note('ichor builds no load balancer: keep yours. Its address becomes cluster.endpoint.host.');
  }
  sketch.put('cluster.endpoint.port', port?.count(), port);
}

function putTalos(root: Part, sketch: Sketch): void {
  const iso = root.find('talos.iso', 'talos_iso');
  const file = iso?.text();
  if (iso && file !== undefined) {
    if (/^[A-Za-z0-9][A-Za-z0-9._-]*:iso\/[^/\s]+\.(iso|img)$/.test(file))
      sketch.put('cluster.talos.image.iso', file, iso);
    else iso.note('Not carried over: it is not STORAGE:iso/FILE.iso. The image comes from the Image Factory.');
  }

  const version = root.find('talos.version', 'talos.image_factory.version', 'talos_version');
  const named = /\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?/.exec(file ?? '')?.[0];
  if (version) sketch.put('cluster.talos.version', withV(version.text()), version);
  else if (iso && named !== undefined) {
    sketch.put('cluster.talos.version', withV(named), iso);
    sketch.comment('cluster.talos.version', 'As the name of the ISO says.');
  }
  const kubernetes = root.find('kubernetes_version', 'kubernetes.version', 'talos.kubernetes_version', 'k8s_version');
  sketch.put('cluster.kubernetes.version', withV(kubernetes?.text()), kubernetes);

  const extensions = root.find('talos.extensions', 'talos.image_factory.extensions', 'talos_extensions');
  sketch.put('cluster.talos.extensions', extensions?.texts(), extensions);
  const architecture = root.find('talos.arch', 'talos.architecture', 'talos.image_factory.arch');
  sketch.put('cluster.talos.image.architecture', architectureOf(architecture?.text()), architecture);
  root
    .find('talos.platform', 'talos.image_factory.platform')
    ?.note('Not carried over: ichor chooses the image that the machines need.');

  const urls = root.find('talos.extra_manifests', 'talos.control_plane_machine_config.extra_manifests');
  const inline = root.find('talos.inline_manifests', 'talos.control_plane_machine_config.inline_manifests');
  if (urls) putManifestUrls(urls, sketch);
  if (inline) putInlineManifests(inline, sketch);
}

const withV = (version: string | undefined): string | undefined =>
  version !== undefined && parseVersion(version) && !version.startsWith('v') ? `v${version}` : version;

const architectureOf = (written: string | undefined): string | undefined =>
  written === 'x86_64' ? 'amd64' : written === 'aarch64' ? 'arm64' : written;

/** Machine configuration for all machines becomes a patch, without what a Platform says itself. */
function putConfiguration(root: Part, sketch: Sketch): void {
  const sections = [
    { section: 'machine', part: root.find('talos.machine', 'talos.extra_machine_configuration') },
    { section: 'cluster', part: root.find('talos.cluster', 'talos.extra_cluster_configuration') },
  ] as const;
  for (const { section, part } of sections) {
    if (part === undefined) continue;
    part.leave();
    const value = carry(lift(under([section], part), sketch), secretsOnly);
    if (value !== undefined) sketch.add('cluster.patches', value);
  }
  if (sketch.get('cluster.cni') !== undefined) return;
  sketch.put('cluster.cni', { flannel: {} });
  sketch.comment('cluster.cni', 'What Talos installs when nothing else is said.');
}

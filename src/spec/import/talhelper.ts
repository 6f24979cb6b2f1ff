import { parseVersion } from '../../model/version.ts';
import type { Part } from './foreign.ts';
import { identityOf } from './identity.ts';
import { putCni } from './lift.ts';
import { putInlineManifests, putManifestUrls } from './manifests.ts';
import { Sketch } from './sketch.ts';
import { putEndpoint } from './talhelper-endpoint.ts';
import { nodesOf } from './talhelper-node.ts';
import { putMachines } from './talhelper-machines.ts';
import { putPatches } from './talhelper-patches.ts';
import { putSchematics } from './talhelper-schematic.ts';
import { putSettings } from './talhelper-settings.ts';
import { plainText, plainTexts } from './talhelper-text.ts';

/** A talconfig.yaml: its machines already wait in maintenance mode, or run. */
export function fromTalhelper(root: Part, wanted: string | undefined): Sketch {
  const { platform, cluster } = identityOf(root, root.find('clusterName'), wanted);
  const sketch = new Sketch(platform);
  if (cluster !== undefined && cluster !== platform) sketch.put('cluster.name', cluster);
  const nodes = nodesOf(root);
  putVersions(root, sketch);
  putMachines(root, nodes, sketch);
  putEndpoint(root, nodes, sketch);
  putCluster(root, sketch);
  putSchematics(root, nodes, sketch);
  putSettings(nodes, sketch, networkDocuments(sketch));
  putPatches(root, nodes, sketch);
  return sketch;
}

function putVersions(root: Part, sketch: Sketch): void {
  const talos = root.find('talosVersion');
  const kubernetes = root.find('kubernetesVersion');
  sketch.put('cluster.talos.version', withV(plainText(talos)), talos);
  sketch.put('cluster.kubernetes.version', withV(plainText(kubernetes)), kubernetes);
  if (talos === undefined) root.remark('No Talos version is given: ichor takes its own default.');
}

const withV = (version: string | undefined): string | undefined =>
  version !== undefined && parseVersion(version) && !version.startsWith('v') ? `v${version}` : version;

/** From Talos 1.12 on the network of a machine is described in documents of its own. */
function networkDocuments(sketch: Sketch): boolean {
  const version = parseVersion(String(sketch.get('cluster.talos.version')));
  return version === undefined || version.major > 1 || version.minor >= 12;
}

function putCluster(root: Part, sketch: Sketch): void {
  const domain = root.find('domain');
  sketch.put('cluster.network.domain', plainText(domain), domain);
  putNetwork(root.find('clusterPodNets'), 'pods', sketch);
  putNetwork(root.find('clusterSvcNets'), 'services', sketch);

  for (const schedulable of [root.find('allowSchedulingOnMasters'), root.find('allowSchedulingOnControlPlanes')])
    if (schedulable?.flag() === true) sketch.put('cluster.controlPlane.schedulable', true, schedulable);

  const names = [
    root.find('additionalMachineCertSans'),
    root.find('additionalApiServerCertSans'),
    ...[root.find('controlPlane'), root.find('worker'), ...(root.find('nodes')?.parts() ?? [])].map((part) =>
      part?.find('certSANs'),
    ),
  ].flatMap(plainTexts);
  if (names.length > 0) sketch.put('cluster.certSANs', [...new Set(names)]);

  const cni = root.find('cniConfig');
  const name = cni?.find('name');
  if (cni === undefined || !putCni(plainText(name), sketch, cni)) {
    sketch.put('cluster.cni', { flannel: {} });
    sketch.comment('cluster.cni', 'What Talos installs when nothing else is said.');
  }
  const urls = cni?.find('urls');
  if (urls) putManifestUrls(urls, sketch);
  const inline = root.find('inlineManifests');
  if (inline) putInlineManifests(inline, sketch);
}

function putNetwork(list: Part | undefined, key: 'pods' | 'services', sketch: Sketch): void {
  const [first, ...others] = plainTexts(list);
  sketch.put(`cluster.network.${key}`, first, list);
  if (others.length > 0) list?.remark('Only the first network is carried over.');
}

import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moduleSource, peerProgram, type PeerName } from '../peers.ts';
import { stampedFolder } from './stamped.ts';

const folders = [
  'boot',
  'dev',
  'mnt',
  'proc',
  'root',
  'run',
  'sys',
  'system',
  'tmp',
  'var',
  '.extra',
  'opt/cni/bin',
  'opt/containerd/bin',
  'opt/containerd/lib',
  'usr/bin',
  'usr/etc',
  'usr/lib/modules',
  'usr/lib/firmware',
  'usr/lib/udev/rules.d',
  'usr/libexec/kubernetes',
  'usr/local/share',
  'usr/local/lib/kubelet/credentialproviders',
  'usr/share/spdx',
  'usr/share/zoneinfo/Etc',
  'etc/cni/net.d',
  'etc/containerd',
  'etc/cri/conf.d/hosts',
  'etc/iscsi',
  'etc/kubernetes/manifests',
  'etc/lvm',
  'etc/nvme',
  'etc/selinux/targeted/contexts/files',
  'etc/ssl/certs',
];

const links: Readonly<Record<string, string>> = {
  bin: 'usr/bin',
  sbin: 'usr/bin',
  lib: 'usr/lib',
  lib64: 'usr/lib',
  'usr/sbin': 'bin',
  'usr/lib64': 'lib',
  'usr/bin/poweroff': 'init',
  'usr/bin/shutdown': 'init',
  'usr/bin/reboot': 'init',
  'usr/bin/dashboard': 'init',
  'var/run': '/run',
  'etc/localtime': '/usr/share/zoneinfo/Etc/UTC',
  'etc/ssl/certs/ca-certificates': 'ca-certificates.crt',
  'etc/pki': '/etc/ssl',
  'etc/ca-certificates': '/etc/ssl',
};

/** Talos writes over these, so they have to be there in a root that is read only. */
const emptyFiles = [
  'extensions.yaml',
  'resolv.conf',
  'hosts',
  'hostname',
  'machine-id',
  'ssl/certs/ca-certificates.crt',
  'cri/conf.d/cri.toml',
  'cri/conf.d/01-registries.part',
  'cri/conf.d/20-customization.part',
  'cri/conf.d/base-spec.json',
  'selinux/targeted/contexts/files/file_contexts',
  'iscsi/initiatorname.iscsi',
  'nvme/hostid',
  'nvme/hostnqn',
];

const programs: Readonly<Record<string, PeerName>> = {
  'usr/bin/init': 'machined',
  'usr/bin/containerd': 'containerd',
  'usr/bin/containerd-shim-runc-v2': 'containerd-shim-runc-v2',
  'usr/bin/runc': 'nodebox',
  'usr/bin/runc.real': 'runc',
  'opt/cni/bin/bridge': 'cni-bridge',
  'opt/cni/bin/loopback': 'cni-loopback',
  'opt/cni/bin/host-local': 'cni-host-local',
};

const fromTalos: Readonly<Record<string, string>> = {
  'etc/containerd/config.toml': 'hack/containerd.toml',
  'etc/cri/containerd.toml': 'hack/cri-containerd.toml',
  'etc/cri/conf.d/00-base.part': 'hack/cri-plugin.part',
  'etc/nfsmount.conf': 'hack/nfsmount.conf',
  'etc/lvm/lvm.conf': 'hack/lvm.conf',
  'usr/share/zoneinfo/Etc/UTC': 'hack/zoneinfo/Etc/UTC',
};

/** The layout of the Talos container image, without what a container does not use; read only, shared by all nodes. */
export async function rootFileSystem(): Promise<string> {
  const built: (readonly [string, string])[] = [];
  for (const [target, peer] of Object.entries(programs)) built.push([target, await peerProgram(peer)]);
  const paths = built.map(([, program]) => program);
  return stampedFolder('root', paths, import.meta.url, async (root) => {
    const put = async (target: string, source: string, mode: number): Promise<void> => {
      await copyFile(source, join(root, target));
      await chmod(join(root, target), mode);
    };
    for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
    for (const [link, target] of Object.entries(links)) await symlink(target, join(root, link));
    for (const file of emptyFiles) await writeFile(join(root, 'etc', file), '');
    for (const [target, program] of built) await put(target, program, 0o755);
    const talos = await moduleSource('machined', 'github.com/siderolabs/talos');
    const machinery = await moduleSource('machined', 'github.com/siderolabs/talos/pkg/machinery');
    for (const [target, source] of Object.entries(fromTalos)) await put(target, join(talos, source), 0o644);
    await put('etc/os-release', join(machinery, 'version', 'os-release'), 0o644);
    await writeFile(join(root, 'usr/etc/in-container'), 'true\n');
  });
}

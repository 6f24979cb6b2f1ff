import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { peerProgram } from '../peers.ts';
import { busyboxProgram } from './requirements.ts';
import { sh } from '../../../src/lab/real/shell.ts';
import { stampedFolder } from './stamped.ts';

/** What Talos v1.13.9 asks for by itself. */
export const kubernetesVersion = 'v1.36.3';
const etcdVersion = 'v3.6.12';
const pauseVersion = '3.10.1';

const kubeletFolders = [
  'dev/',
  'etc/cni/',
  'etc/kubernetes/',
  'lib/modules/',
  'proc/',
  'run/',
  'sys/',
  'tmp/',
  'var/lib/',
  'var/log/',
  'usr/libexec/kubernetes/',
  'usr/local/lib/kubelet/credentialproviders/',
];
const kubeletLinks = ['bin->usr/bin', 'sbin->usr/bin', 'usr/sbin->bin', 'var/run->../run'];
/** kubelet calls mount and umount; busybox brings those, and a shell to look around with. */
const kubeletTools = [
  'sh',
  'mount',
  'umount',
  'nsenter',
  'du',
  'find',
  'ls',
  'cat',
  'ps',
  'ip',
  'mkdir',
  'rm',
  'sleep',
];

/** Images under the names that Talos asks for, packed from the programs themselves: a folder that `nodebox registry` serves. */
export async function kubernetesImages(): Promise<string> {
  const nodebox = await peerProgram('nodebox');
  const [apiserver, manager, scheduler] = [
    await peerProgram('kube-apiserver'),
    await peerProgram('kube-controller-manager'),
    await peerProgram('kube-scheduler'),
  ];
  const [kubelet, etcd, busybox] = [await peerProgram('kubelet'), await peerProgram('etcd'), await busyboxProgram()];
  const programs = [nodebox, apiserver, manager, scheduler, kubelet, etcd];
  return stampedFolder('images', programs, import.meta.url, async (out) => {
    await mkdir(out, { recursive: true });
    const [passwd, group] = [join(out, 'passwd'), join(out, 'group')];
    await writeFile(passwd, 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n');
    await writeFile(group, 'root:x:0:\nnogroup:x:65534:\n');
    const users = [`${passwd}=/etc/passwd`, `${group}=/etc/group`];
    const pack = (ref: string, entrypoint: string, ...items: readonly string[]): Promise<string> =>
      sh(nodebox, 'image', '-out', out, '-ref', ref, '-entrypoint', entrypoint, ...items);
    const component = (name: string, program: string): Promise<string> =>
      pack(
        `registry.k8s.io/${name}:${kubernetesVersion}`,
        `/usr/local/bin/${name}`,
        `${program}=/usr/local/bin/${name}`,
        ...users,
        'tmp/',
        'etc/',
        'usr/share/ca-certificates/',
      );
    await component('kube-apiserver', apiserver);
    await component('kube-controller-manager', manager);
    await component('kube-scheduler', scheduler);
    const etcdItems = [`${etcd}=/usr/local/bin/etcd`, 'tmp/', 'etc/', 'var/lib/etcd/'];
    await pack(`registry.k8s.io/etcd:${etcdVersion}`, '/usr/local/bin/etcd', ...etcdItems);
    await pack(`registry.k8s.io/pause:${pauseVersion}`, '/pause', `${nodebox}=/pause`);
    await pack(
      `ghcr.io/siderolabs/kubelet:${kubernetesVersion}`,
      '/usr/local/bin/kubelet',
      `${kubelet}=/usr/local/bin/kubelet`,
      `${busybox}=/usr/bin/busybox`,
      ...kubeletTools.map((tool) => `usr/bin/${tool}->busybox`),
      ...users,
      ...kubeletLinks,
      ...kubeletFolders,
    );
  });
}

import { minorOf, type Version } from './version.ts';

export type TalosRelease = {
  /** The patch release whose behaviour this row was read from. */
  readonly patch: string;
  /** Kubernetes minors of major version 1 that this Talos runs, oldest and newest. */
  readonly kubernetes: readonly [oldest: number, newest: number];
  readonly defaultKubernetes: string;
  readonly etcd: string;
  /** Running versions that this one may be installed over, up or down: from the first, and below the second. */
  readonly hosts: readonly [from: string, below: string];
};

/** Talos minors that ichor knows. The range of Kubernetes is the one Talos itself checks when a config is applied. */
export const talosReleases: Readonly<Record<string, TalosRelease>> = {
  '1.9': {
    patch: 'v1.9.0',
    kubernetes: [27, 32],
    defaultKubernetes: 'v1.32.0',
    etcd: 'v3.5.17',
    hosts: ['v1.8.0', 'v1.11.0'],
  },
  '1.10': {
    patch: 'v1.10.9',
    kubernetes: [28, 33],
    defaultKubernetes: 'v1.33.6',
    etcd: 'v3.5.26',
    hosts: ['v1.8.0', 'v1.12.0'],
  },
  '1.11': {
    patch: 'v1.11.6',
    kubernetes: [29, 34],
    defaultKubernetes: 'v1.34.1',
    etcd: 'v3.6.5',
    hosts: ['v1.9.0', 'v1.13.0'],
  },
  '1.12': {
    patch: 'v1.12.11',
    kubernetes: [30, 35],
    defaultKubernetes: 'v1.35.4',
    etcd: 'v3.6.11',
    hosts: ['v1.10.0', 'v1.14.0'],
  },
  '1.13': {
    patch: 'v1.13.9',
    kubernetes: [31, 36],
    defaultKubernetes: 'v1.36.3',
    etcd: 'v3.6.12',
    hosts: ['v1.11.0', 'v1.15.0'],
  },
  '1.14': {
    patch: 'v1.14.0',
    kubernetes: [32, 37],
    defaultKubernetes: 'v1.36.3',
    etcd: 'v3.7.1',
    hosts: ['v1.12.0', 'v1.16.0'],
  },
};

export const defaultTalosVersion = 'v1.13.9';

export const talosRelease = (version: Version): TalosRelease | undefined => talosReleases[minorOf(version)];

export const supportsKubernetes = (release: TalosRelease, kubernetes: Version): boolean =>
  kubernetes.major === 1 && kubernetes.minor >= release.kubernetes[0] && kubernetes.minor <= release.kubernetes[1];

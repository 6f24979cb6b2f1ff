import { expect, test } from 'vitest';
import { platformFile, said } from '../../../test/said.ts';

type Sections = Readonly<Record<string, string>>;

test.each<[what: string, wrong: Sections, says: readonly string[]]>([
  [
    'KubeSpan without discovery',
    { cluster: '{ kubeSpan: { enabled: true }, discovery: { enabled: false } }' },
    [
      '6:35 needs-discovery: KubeSpan finds its peers through discovery, which is off. | Set cluster.discovery.enabled: true.',
    ],
  ],
  [
    'a host DNS that is off',
    { cluster: '{ hostDNS: { enabled: false } }' },
    ['6:34 needs-host-dns: CoreDNS cannot ask a host DNS that does not run. | Also set forwardKubeDNSToHost: false.'],
  ],
  [
    'Hubble’s interface without relay',
    { cluster: '{ cni: { cilium: { hubble: { ui: true } } } }' },
    ['6:45 needs-relay: Hubble’s web interface needs its relay. | Add "relay: true".'],
  ],
  [
    'L2 announcements beside kube-proxy',
    { cluster: '{ cni: { cilium: { kubeProxyReplacement: false, l2: { pool: 10.10.0.64/27 } } } }' },
    [
      '6:60 needs-kube-proxy-replacement: Cilium announces addresses to neighbours only where it takes the place of kube-proxy. | Set kubeProxyReplacement: true, or use bgp.',
    ],
  ],
  [
    'Cilium without KubePrism',
    { cluster: '{ kubePrism: { enabled: false } }' },
    [
      '6:36 needs-kubeprism: Cilium in the place of kube-proxy reaches the Kubernetes API through KubePrism, which is off. | Set kubePrism.enabled: true, or kubeProxyReplacement: false.',
    ],
  ],
  [
    'a TPM without SecureBoot',
    { cluster: '{ encryption: { state: { tpm: {} }, ephemeral: { tpm: {} } } }' },
    [
      '6:37 needs-secure-boot: A key in the TPM is only bound to the boot chain with SecureBoot. | Set cluster.talos.secureBoot: true.',
      '6:61 needs-secure-boot: A key in the TPM is only bound to the boot chain with SecureBoot. | Set cluster.talos.secureBoot: true.',
    ],
  ],
  [
    'a secret among the variables',
    { cluster: '{ extensionServices: { tailscale: { environment: { TS_AUTHKEY: tskey-abc } } } }' },
    [
      '6:75 secret-in-clear: TS_AUTHKEY looks like a secret, which must not be written in clear. | Move it to secrets. Say where it is instead: "TS_AUTHKEY: { env: TS_AUTHKEY }", or file, age, keyring, vault.',
    ],
  ],
])('%s', (_, wrong, says) => {
  expect(said(platformFile(wrong))).toEqual(says);
});

test.each<[notThis: string, right: Sections]>([
  ['KubeSpan without discovery', { cluster: '{ kubeSpan: { enabled: true } }' }],
  ['a host DNS that is off', { cluster: '{ hostDNS: { enabled: false, forwardKubeDNSToHost: false } }' }],
  ['Hubble’s interface without relay', { cluster: '{ cni: { cilium: { hubble: { ui: true, relay: true } } } }' }],
  ['Cilium without KubePrism', { cluster: '{ kubePrism: { enabled: false }, cni: { flannel: {} } }' }],
  [
    'a TPM without SecureBoot',
    { cluster: '{ talos: { secureBoot: true }, encryption: { state: { tpm: {} }, ephemeral: { tpm: {} } } }' },
  ],
  [
    'a secret among the variables',
    {
      cluster:
        '{ extensionServices: { tailscale: { environment: { TS_HOSTNAME: a }, secrets: { TS_AUTHKEY: { env: TS_AUTHKEY } } } } }',
    },
  ],
])('nothing is said where there is not %s', (_, right) => {
  expect(said(platformFile(right))).toEqual([]);
});

import { looksSecret } from '../../model/secrets.ts';
import { secretRemedy } from '../complaint.ts';
import type { PlatformDraft } from '../expand.ts';
import type { Said } from './rule.ts';

const at = (...steps: (string | number)[]) => ['spec', 'cluster', ...steps];

export function* features({ spec }: PlatformDraft): Iterable<Said> {
  const cluster = spec.cluster ?? {};
  if (cluster.kubeSpan?.enabled === true && cluster.discovery?.enabled === false) {
    yield {
      path: at('kubeSpan', 'enabled'),
      code: 'needs-discovery',
      message: 'KubeSpan finds its peers through discovery, which is off.',
      remedy: 'Set cluster.discovery.enabled: true.',
    };
  }
  if (cluster.hostDNS?.enabled === false && cluster.hostDNS.forwardKubeDNSToHost === true) {
    yield {
      path: at('hostDNS', 'enabled'),
      code: 'needs-host-dns',
      message: 'CoreDNS cannot ask a host DNS that does not run.',
      remedy: 'Also set forwardKubeDNSToHost: false.',
    };
  }
  const hubble = cluster.cni?.cilium?.hubble;
  if (hubble?.ui === true && hubble.relay === false) {
    yield {
      path: at('cni', 'cilium', 'hubble', 'ui'),
      code: 'needs-relay',
      message: 'Hubble’s web interface needs its relay.',
      remedy: 'Add "relay: true".',
    };
  }
  if (cluster.cni?.cilium?.l2 !== undefined && cluster.cni.cilium.kubeProxyReplacement === false) {
    yield {
      path: at('cni', 'cilium', 'l2'),
      code: 'needs-kube-proxy-replacement',
      message: 'Cilium announces addresses to neighbours only where it takes the place of kube-proxy.',
      remedy: 'Set kubeProxyReplacement: true, or use bgp.',
    };
  }
  if (cluster.cni?.cilium?.kubeProxyReplacement === true && cluster.kubePrism?.enabled === false) {
    yield {
      path: at('kubePrism', 'enabled'),
      code: 'needs-kubeprism',
      message: 'Cilium in the place of kube-proxy reaches the Kubernetes API through KubePrism, which is off.',
      remedy: 'Set kubePrism.enabled: true, or kubeProxyReplacement: false.',
    };
  }
  for (const partition of ['state', 'ephemeral'] as const) {
    if (cluster.encryption?.[partition]?.tpm !== undefined && cluster.talos?.secureBoot === false) {
      yield {
        path: at('encryption', partition, 'tpm'),
        code: 'needs-secure-boot',
        message: 'A key in the TPM is only bound to the boot chain with SecureBoot.',
        remedy: 'Set cluster.talos.secureBoot: true.',
      };
    }
  }
}

export function* extensionEnvironment({ spec }: PlatformDraft): Iterable<Said> {
  for (const [service, settings] of Object.entries(spec.cluster?.extensionServices ?? {})) {
    for (const name of Object.keys(settings?.environment ?? {})) {
      if (!looksSecret(name)) continue;
      yield {
        path: at('extensionServices', service, 'environment', name),
        code: 'secret-in-clear',
        message: `${name} looks like a secret, which must not be written in clear.`,
        remedy: `Move it to secrets. ${secretRemedy(name)}`,
      };
    }
  }
}

import type { Fields } from './document.ts';

/** Pods must keep to the baseline, and are warned about what is not restricted; the system's own are exempt. */
export const podSecurity: Fields = {
  apiVersion: 'pod-security.admission.config.k8s.io/v1alpha1',
  defaults: {
    audit: 'restricted',
    'audit-version': 'latest',
    enforce: 'baseline',
    'enforce-version': 'latest',
    warn: 'restricted',
    'warn-version': 'latest',
  },
  exemptions: { namespaces: ['kube-system'], runtimeClasses: [], usernames: [] },
  kind: 'PodSecurityConfiguration',
};

export const auditPolicy: Fields = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };

export const kubernetesImage = (component: string, version: string): string =>
  `registry.k8s.io/${component}:${version}`;
export const kubeletImage = (version: string): string => `ghcr.io/siderolabs/kubelet:${version}`;

/** Load balancers outside of the cluster leave such nodes out. */
export const outsideLoadBalancers = 'node.kubernetes.io/exclude-from-external-load-balancers';
export const controlPlaneRole = 'node-role.kubernetes.io/control-plane';

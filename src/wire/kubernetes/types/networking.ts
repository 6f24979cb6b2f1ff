import type { Types } from '../notation.ts';

/** Ways in, and who may talk to whom. */
export const networking: Types = {
  HTTPIngressPath: `
    path string
    pathType! *PathType
    backend! IngressBackend`,
  HTTPIngressRuleValue: 'paths! []HTTPIngressPath atomic',
  IPAddress: `
    @kind @list
    spec IPAddressSpec required`,
  IPAddressSpec: 'parentRef *ParentReference required',
  IPBlock: `
    cidr! string
    except []string atomic`,
  Ingress: `
    @kind @list
    spec IngressSpec
    status IngressStatus`,
  IngressBackend: `
    service *IngressServiceBackend
    resource *core.TypedLocalObjectReference`,
  IngressClass: `
    @kind @list
    spec IngressClassSpec`,
  IngressClassParametersReference: `
    apiGroup *string
    kind! string
    name! string
    scope *string written
    namespace *string`,
  IngressClassSpec: `
    controller string
    parameters *IngressClassParametersReference`,
  IngressLoadBalancerIngress: `
    ip string
    hostname string
    ports []IngressPortStatus atomic`,
  IngressLoadBalancerStatus: 'ingress []IngressLoadBalancerIngress atomic',
  IngressPortStatus: `
    port! int32
    protocol! core.Protocol
    error *string`,
  IngressRule: `
    host string
    http *HTTPIngressRuleValue`,
  IngressServiceBackend: `
    name! string
    port ServiceBackendPort`,
  IngressSpec: `
    ingressClassName *string
    defaultBackend *IngressBackend
    tls []IngressTLS atomic
    rules []IngressRule atomic`,
  IngressStatus: 'loadBalancer IngressLoadBalancerStatus',
  IngressTLS: `
    hosts []string atomic
    secretName string`,
  NetworkPolicy: `
    @kind @list
    spec NetworkPolicySpec`,
  NetworkPolicyEgressRule: `
    ports []NetworkPolicyPort atomic
    to []NetworkPolicyPeer atomic`,
  NetworkPolicyIngressRule: `
    ports []NetworkPolicyPort atomic
    from []NetworkPolicyPeer atomic`,
  NetworkPolicyPeer: `
    podSelector *meta.LabelSelector
    namespaceSelector *meta.LabelSelector
    ipBlock *IPBlock`,
  NetworkPolicyPort: `
    protocol *core.Protocol
    port *intstr
    endPort *int32`,
  NetworkPolicySpec: `
    podSelector meta.LabelSelector written
    ingress []NetworkPolicyIngressRule atomic
    egress []NetworkPolicyEgressRule atomic
    policyTypes []PolicyType atomic`,
  ParentReference: `
    group string
    resource string required
    namespace string
    name string required`,
  PathType: '@enum Exact | ImplementationSpecific | Prefix',
  PolicyType: '@enum Egress | Ingress',
  ServiceBackendPort: `
    @atomic
    name string
    number int32`,
  ServiceCIDR: `
    @kind @list
    spec ServiceCIDRSpec
    status ServiceCIDRStatus`,
  ServiceCIDRSpec: 'cidrs []string atomic',
  ServiceCIDRStatus: 'conditions []meta.Condition by=type merge',
};

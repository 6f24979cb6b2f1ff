const bytes = (text: string): string => Buffer.from(text).toString('base64');

/** A control plane’s configuration for 1.13, with material that is none. */
export const controlPlaneConfig = `version: v1alpha1
debug: false
persist: true
machine:
    type: controlplane
    token: to.ken
    ca:
        crt: ${bytes('talos certificate')}
        key: ${bytes('talos key')}
    certSANs:
        - 10.0.0.9
    kubelet:
        image: example.org/kubelet:v1.36.1
    network:
        interfaces:
            - interface: eth0
              addresses:
                - 10.0.0.5/24
              vip:
                ip: 10.0.0.9
    install:
        disk: /dev/sda
        image: example.org/installer:v1.13.9
        wipe: false
        grubUseUKICmdline: true
    features:
        diskQuotaSupport: true
        kubePrism:
            enabled: true
            port: 7445
        hostDNS:
            enabled: true
            forwardKubeDNSToHost: true
    nodeLabels:
        example.org/role: a
cluster:
    id: aWQ=
    secret: cw==
    controlPlane:
        endpoint: https://10.0.0.9:6443
    clusterName: demo
    network:
        cni:
            name: none
        dnsDomain: cluster.local
        podSubnets:
            - 10.244.0.0/16
        serviceSubnets:
            - 10.96.0.0/12
    token: cluster.token
    ca:
        crt: ${bytes('kubernetes certificate')}
        key: ${bytes('kubernetes key')}
    discovery:
        enabled: true
        registries:
            kubernetes:
                disabled: true
            service: {}
    etcd:
        ca:
            crt: ${bytes('etcd certificate')}
            key: ${bytes('etcd key')}
---
apiVersion: v1alpha1
kind: HostnameConfig
auto: "off"
hostname: cp1
`;

/** The same facts as 1.14 wants them. */
export const newControlPlaneConfig = `version: v1alpha1
machine:
    type: controlplane
    token: to.ken
    ca:
        crt: ${bytes('talos certificate')}
        key: ${bytes('talos key')}
    certSANs:
        - 10.0.0.9
cluster:
    token: cluster.token
    etcd:
        ca:
            crt: ${bytes('etcd certificate')}
            key: ${bytes('etcd key')}
---
apiVersion: v1alpha1
kind: KubeClusterConfig
clusterName: demo
endpoint: https://10.0.0.9:6443
---
apiVersion: v1alpha1
kind: KubeNetworkConfig
dnsDomain: cluster.local
podSubnets:
    - 10.244.0.0/16
serviceSubnets:
    - 10.96.0.0/12
---
apiVersion: v1alpha1
kind: KubeAPIServerCAConfig
issuingCA:
    cert: kubernetes certificate
    key: kubernetes key
---
apiVersion: v1alpha1
kind: KubeNodeConfig
nodeIP: {}
labels:
    example.org/role: a
---
apiVersion: v1alpha1
kind: KubeletConfig
image: example.org/kubelet:v1.36.1
config: {}
---
apiVersion: v1alpha1
kind: DiscoveryServiceConfig
name: default
endpoint: https://discovery.example.org/
---
apiVersion: v1alpha1
kind: DiscoveryIdentityConfig
clusterID: aWQ=
clusterSecret: cw==
---
apiVersion: v1alpha1
kind: UnattendedInstallConfig
installer:
    image: example.org/installer:v1.13.9
provisioning: {}
---
apiVersion: v1alpha1
kind: LinkConfig
name: eth0
addresses:
    - address: 10.0.0.5/24
---
apiVersion: v1alpha1
kind: Layer2VIPConfig
name: 10.0.0.9
link: eth0
---
apiVersion: v1alpha1
kind: HostnameConfig
auto: "off"
hostname: cp1
`;

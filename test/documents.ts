/** Documents that are right, from the shortest to the longest: tests break them one value at a time. */
export const platforms = {
  minimal: `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: minimal }
spec:
  machines:
    proxmox:
      endpoint: https://pve1.example.org:8006
      token: { env: PROXMOX_TOKEN }
      hosts: [pve1]
`,
  proxmox: `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: prod, labels: { tier: one } }
spec:
  environment: production
  identity:
    secrets: { age: [age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p] }
    sealedSecrets: { keypair: persistent }
    state: { s3: { bucket: platform-state, endpoint: "https://s3.example.org", accessKey: { env: S3_ACCESS }, secretKey: { file: ./s3.key } } }
  machines:
    via: ssh://root@pve1.example.org
    proxmox:
      endpoint: https://pve1.example.org:8006
      endpoints: [{ url: "https://pve2.example.org:8006" }]
      login: { username: automation@pve, password: { keyring: ichor/proxmox } }
      hosts: [pve1, pve2, pve3]
      vlan: 40
      capacity: { pve1: { cpu: 32, memory: 128GiB, disk: { local-lvm: 2TiB } } }
      sharedDatastores: { ceph: 10TiB }
      tags: [production]
  cluster:
    talos: { version: v1.13.9, extensions: [qemu-guest-agent, iscsi-tools, util-linux-tools] }
    kubernetes: { version: v1.35.2 }
    endpoint: { vip: 10.10.0.5 }
    highAvailability: true
    controlPlane: { replicas: 3, cpu: 4, memory: 8GiB, disk: 40GiB }
    workers:
      general: { replicas: 3, cpu: 8, memory: 16GiB, disk: 100GiB, disks: { longhorn: 200GiB on ceph }, labels: { example.org/tier: front } }
      gpu: { replicas: 1, taints: ["gpu=true:NoSchedule"], vmids: 2501-2599 }
    nodes:
      cp-0: { vmid: 410, mac: "BC:24:11:00:00:10", address: 10.10.0.10, host: pve1 }
      prod-general-0: { installDisk: { path: /dev/sda } }
    placement: { pinned: { cp-1: pve2 }, reserve: { memory: 8GiB } }
    network: { nodes: 10.10.0.0/24, gateway: 10.10.0.1, nameservers: [10.10.0.53] }
    cni: { cilium: { hubble: { relay: true, ui: true } } }
    registries:
      mirrors: { "*": { endpoints: ["https://mirror.example.org"] } }
      credentials: { registry.example.org: { username: robot, password: { vault: "secret/data/ichor#token" } } }
    encryption: { state: { nodeID: {} }, ephemeral: { kms: { endpoint: "https://kms.example.org:4050" } } }
    extensionServices: { tailscale: { environment: { TS_HOSTNAME: prod }, secrets: { TS_AUTHKEY: { env: TS_AUTHKEY } } } }
    manifests: { inline: { namespace: "apiVersion: v1" } }
    sysctls: { vm.max_map_count: "262144" }
    patches: [{ machine: { time: { disabled: true } } }, "machine: {}"]
  services:
    domain: prod.example.org
    gitops: { flux: { url: "ssh://git@example.org/platform.git", path: clusters/prod } }
    clusterApi: { infrastructure: [proxmox] }
    catalog:
      metallb: { pool: 10.10.0.64/27 }
      cert-manager: { issuers: { letsencrypt: { acme: { email: platform@example.org } } } }
      ingress-nginx: { address: 10.10.0.64 }
      proxmox-csi: { classes: { fast: { datastore: ceph, default: true } } }
      sealed-secrets: {}
      vault: {}
      external-secrets: {}
      authentik: { mail: { host: smtp.example.org, from: sso@example.org } }
      harbor: { values: { trivy: { enabled: true } } }
      gitea: {}
      powerdns: { address: 10.10.0.65 }
  configuration:
    dns: { powerdns: { zones: { prod.example.org: { records: { "@": { A: [10.10.0.64] }, www: { CNAME: [prod.example.org.], ttl: 60 } } } } } }
    sso: { authentik: { applications: [harbor, gitea], custom: { wiki: { redirectUrls: ["https://wiki.example.org/callback"] } } } }
`,
  libvirt: `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: lab }
spec:
  machines:
    libvirt:
      hosts: { kvm1: "qemu+ssh://root@kvm1.example.org/system", kvm2: "qemu+ssh://root@kvm2.example.org/system" }
      network: { cidr: 192.168.50.0/24, domain: lab.example.org }
  cluster:
    controlPlane: { replicas: 1, addresses: 192.168.50.10-19 }
    workers: { general: { replicas: 2, addresses: 192.168.50.20-29 } }
    network: { addresses: static, gateway: 192.168.50.1 }
    cni: { flannel: {} }
    kubePrism: { port: 7446 }
`,
  openstack: `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: tenant }
spec:
  machines:
    openstack:
      authentication:
        url: https://keystone.example.org:5000/v3
        applicationCredential: { id: { env: OS_ID }, secret: { age: ./secret.age } }
      network: { cidr: 10.20.0.0/24, nameservers: [10.20.0.2] }
      availabilityZones: [nova, az2]
      rootVolume: {}
      loadBalancer: true
  cluster:
    controlPlane: { replicas: 3, flavor: m1.large }
    workers: { general: { replicas: 2 } }
    cni: { none: {} }
  services:
    gitops: { argocd: { url: "https://git.example.org/platform.git", credentials: { token: { env: GIT_TOKEN } } } }
`,
  existing: `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: metal }
spec:
  machines:
    existing:
      machines:
        cp-0: { address: 172.16.0.10 }
        cp-1: { address: 172.16.0.11 }
        cp-2: { address: 172.16.0.12, mac: "02:00:00:00:00:12" }
        general-0: { address: 172.16.0.20 }
  cluster:
    controlPlane: { replicas: 3, installDisk: { selector: { type: nvme } } }
    workers: { general: {} }
    endpoint: { host: k8s.example.org, port: 443 }
    hostnames: dhcp
    certSANs: [k8s.example.org]
  services:
    catalog:
      metallb: { mode: bgp, asn: 64512, peers: [{ address: 172.16.0.1, asn: 64513 }], pools: { public: [203.0.113.0/28] } }
`,
} as const;

export const substrates = {
  small: `
apiVersion: ichor.dev/v1alpha1
kind: Substrate
metadata: { name: small }
spec:
  image: { url: "https://example.org/ubuntu-24.04.img", checksum: "sha256:${'0'.repeat(64)}" }
`,
  cloud: `
apiVersion: ichor.dev/v1alpha1
kind: Substrate
metadata: { name: cloud }
spec:
  hosts: { kvm1: "qemu+ssh://root@kvm1.example.org/system" }
  pool: { path: /var/lib/libvirt/images/cloud }
  capacity: { kvm1: { cpu: 64, memory: 256GiB } }
  image: { url: "https://example.org/ubuntu-24.04.img", checksum: "sha256:${'0'.repeat(64)}" }
  network: { cidr: 192.168.140.0/24 }
  ssh: { user: ubuntu, key: { file: ./id_ed25519 } }
  controllers: { replicas: 3 }
  storage: { replicas: 1, disks: { cinder: 500GiB } }
  openstack: { cinder: {}, overrides: { haproxy_keepalived_external_vip_cidr: 192.168.140.10/32 } }
`,
} as const;

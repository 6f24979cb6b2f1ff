# Variables of a Terraform module that builds Talos on Proxmox.
cluster_name = "prod"
environment  = "production"

ha_enabled          = true
control_plane_count = 3
worker_count        = 3

proxmox = {
  endpoint     = "pve1.example.org"
  insecure     = true
  target_nodes = ["pve1", "pve2", "pve3"]
  datastore_id = "local-lvm"
  bridge       = "vmbr0"
  vlan_id      = 40
}

proxmox_api_token_id     = "terraform@pve!ichor"
proxmox_api_token_secret = "4f1c8c1e-0000-4000-8000-2b8f0c5d9a11"

placement = {
  strategy = "pin"
  pinned = {
    pve1 = ["prod-cp-01", "prod-wk-01"]
    pve2 = ["prod-cp-02"]
    pve3 = ["prod-cp-03", "prod-wk-09"]
  }
}

sizing = {
  control_plane = { vcpu = 4, memory = 8192, disk = 40 }
  worker        = { vcpu = 8, memory = 16384, disk = 100 }
}

pve_capacity = {
  pve1 = { vcpu = 32, memory = 131072 }
  pve2 = { vcpu = 32, memory = 131072 }
  pve3 = { vcpu = 16, memory = 65536 }
}

load_balancer = {
  enabled   = true
  strategy  = "talos_native"
  vip       = "10.10.0.5"
  interface = "eth0"
}

talos = {
  version    = "v1.12.4"
  platform   = "nocloud"
  arch       = "amd64"
  extensions = ["siderolabs/qemu-guest-agent", "siderolabs/iscsi-tools"]
  extra_manifests = [
    "https://example.org/manifests/metrics-server.yaml",
  ]
  inline_manifests = [
    { name = "root-app", file = "manifests/root-app.yaml" },
  ]
  machine = {
    kubelet = {
      extraArgs = { rotate-server-certificates = true }
    }
    registries = {
      config = {
        "ghcr.io" = { auth = { username = "robot", password = "not-for-the-file" } }
      }
    }
  }
}

backup_schedule = "0 3 * * *"

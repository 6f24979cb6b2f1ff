terraform {
  required_providers {
    proxmox = { source = "bpg/proxmox", version = "0.106.0" }
  }
}

variable "endpoint" { type = string }
variable "factory" { type = string }
variable "schematic" { type = string }
# The last part of each machine's address by its name.
variable "machines" { type = map(number) }
variable "network" { type = string }

provider "proxmox" {
  endpoint = var.endpoint
}

resource "proxmox_virtual_environment_download_file" "talos" {
  node_name    = "pve1"
  datastore_id = "local"
  content_type = "import"
  file_name    = "talos.qcow2"
  url          = "${var.factory}/image/${var.schematic}/v1.13.9/nocloud-amd64.qcow2"
}

resource "proxmox_virtual_environment_vm" "node" {
  for_each        = var.machines
  name            = each.key
  node_name       = "pve1"
  tags            = ["tofu"]
  stop_on_destroy = true

  agent { enabled = true }
  cpu {
    cores = 2
    type  = "host"
  }
  memory { dedicated = 4096 }
  disk {
    datastore_id = "local-lvm"
    interface    = "virtio0"
    size         = 20
    import_from  = proxmox_virtual_environment_download_file.talos.id
  }
  initialization {
    datastore_id = "local-lvm"
    ip_config {
      ipv4 {
        address = "${var.network}.${each.value}/24"
        gateway = "${var.network}.1"
      }
    }
  }
  network_device { bridge = "vmbr0" }
}

output "addresses" {
  value = { for name, vm in proxmox_virtual_environment_vm.node : name => flatten(vm.ipv4_addresses) }
}

terraform {
  required_providers {
    proxmox = { source = "bpg/proxmox", version = "0.106.0" }
  }
}

variable "endpoint" { type = string }
variable "factory" { type = string }
# With qemu-guest-agent in it: the provider waits for the address that only an agent tells.
variable "schematic" { type = string }
variable "gateway" { type = string }
variable "machines" {
  type = map(object({ host = string, address = string, cores = number, memory = number, disk = number }))
}

provider "proxmox" {
  endpoint = var.endpoint
}

resource "proxmox_virtual_environment_download_file" "talos" {
  for_each     = toset([for machine in var.machines : machine.host])
  node_name    = each.value
  datastore_id = "local"
  content_type = "import"
  file_name    = "talos.qcow2"
  url          = "${var.factory}/image/${var.schematic}/v1.13.9/nocloud-amd64.qcow2"
}

resource "proxmox_virtual_environment_vm" "node" {
  for_each        = var.machines
  name            = each.key
  node_name       = each.value.host
  machine         = "q35"
  bios            = "ovmf"
  scsi_hardware   = "virtio-scsi-pci"
  tags            = ["tofu"]
  stop_on_destroy = true

  agent { enabled = true }
  cpu {
    cores = each.value.cores
    type  = "x86-64-v2-AES"
  }
  memory { dedicated = each.value.memory }
  operating_system { type = "l26" }
  efi_disk {
    datastore_id = "local-lvm"
    type         = "4m"
  }
  disk {
    datastore_id = "local-lvm"
    interface    = "scsi0"
    size         = each.value.disk
    import_from  = proxmox_virtual_environment_download_file.talos[each.value.host].id
  }
  initialization {
    datastore_id = "local-lvm"
    ip_config {
      ipv4 {
        address = "${each.value.address}/25"
        gateway = var.gateway
      }
    }
  }
  network_device { bridge = "vmbr0" }
  serial_device {}
}

terraform {
  required_providers {
    proxmox = { source = "bpg/proxmox", version = "0.106.0" }
  }
}

variable "endpoint" { type = string }
variable "factory" { type = string }
# With qemu-guest-agent in it: the provider waits for the address that only an agent tells.
variable "schematic" { type = string }
variable "memory" {
  type    = number
  default = 2048
}
variable "description" {
  type    = string
  default = "made by tofu"
}
variable "disk" {
  type    = number
  default = 20
}
variable "tags" {
  type    = list(string)
  default = ["talos", "tofu"]
}

# The token comes from PROXMOX_VE_API_TOKEN, the authority from SSL_CERT_FILE.
provider "proxmox" {
  endpoint = var.endpoint
}

locals {
  image = "${var.factory}/image/${var.schematic}/v1.13.9/nocloud-amd64"
}

resource "proxmox_virtual_environment_pool" "talos" {
  pool_id = "talos"
  comment = var.description
}

resource "proxmox_virtual_environment_download_file" "iso" {
  node_name    = "pve1"
  datastore_id = "local"
  content_type = "iso"
  file_name    = "talos-v1.13.9.iso"
  url          = "${local.image}.iso"
}

resource "proxmox_virtual_environment_download_file" "disk" {
  node_name    = "pve2"
  datastore_id = "local"
  content_type = "import"
  file_name    = "talos-v1.13.9.qcow2"
  url          = "${local.image}.qcow2"
}

resource "proxmox_virtual_environment_file" "own" {
  node_name    = "pve1"
  datastore_id = "local"
  content_type = "iso"
  source_file {
    path     = "${path.module}/own.iso"
    # Without it the provider does not see that the content changed.
    checksum = filesha256("${path.module}/own.iso")
  }
}

# From an ISO: an empty disk first, then the medium.
resource "proxmox_virtual_environment_vm" "from_iso" {
  name            = "from-iso"
  node_name       = "pve1"
  vm_id           = 901
  pool_id         = proxmox_virtual_environment_pool.talos.pool_id
  description     = var.description
  tags            = var.tags
  machine         = "q35"
  bios            = "ovmf"
  scsi_hardware   = "virtio-scsi-pci"
  boot_order      = ["scsi0", "ide3"]
  stop_on_destroy = true

  agent { enabled = true }
  cpu {
    cores = 2
    type  = "x86-64-v2-AES"
  }
  memory { dedicated = var.memory }
  operating_system { type = "l26" }
  efi_disk {
    datastore_id = "local-lvm"
    type         = "4m"
  }
  cdrom { file_id = proxmox_virtual_environment_download_file.iso.id }
  disk {
    datastore_id = "local-lvm"
    interface    = "scsi0"
    size         = var.disk
    discard      = "on"
    ssd          = true
    serial       = "system"
  }
  disk {
    datastore_id = "local-lvm"
    interface    = "scsi1"
    size         = 5
  }
  network_device {
    bridge      = "vmbr0"
    mac_address = "BC:24:11:09:01:01"
    vlan_id     = 40
  }
  serial_device {}
}

# From a disk image that the host imports, with a static address from the cloud-init drive.
resource "proxmox_virtual_environment_vm" "from_disk" {
  name            = "from-disk"
  node_name       = "pve2"
  vm_id           = 902
  tags            = ["tofu"]
  stop_on_destroy = true

  agent { enabled = true }
  cpu {
    cores = 2
    type  = "host"
  }
  memory { dedicated = 2048 }
  operating_system { type = "l26" }
  disk {
    datastore_id = "local-lvm"
    interface    = "scsi0"
    size         = var.disk
    import_from  = proxmox_virtual_environment_download_file.disk.id
  }
  initialization {
    datastore_id = "local-lvm"
    ip_config {
      ipv4 {
        address = "127.0.64.250/24"
        gateway = "127.0.64.1"
      }
    }
    dns { servers = ["127.0.64.1"] }
  }
  network_device { bridge = "vmbr0" }
}

data "proxmox_virtual_environment_nodes" "all" {}
data "proxmox_virtual_environment_version" "this" {}
data "proxmox_virtual_environment_vms" "ours" {
  tags       = ["tofu"]
  depends_on = [proxmox_virtual_environment_vm.from_iso, proxmox_virtual_environment_vm.from_disk]
}

output "nodes" { value = data.proxmox_virtual_environment_nodes.all.names }
output "version" { value = data.proxmox_virtual_environment_version.this.version }
output "vms" { value = sort([for vm in data.proxmox_virtual_environment_vms.ours.vms : vm.name]) }
output "addresses" { value = flatten(proxmox_virtual_environment_vm.from_disk.ipv4_addresses) }

terraform {
  required_providers {
    proxmox = { source = "bpg/proxmox", version = "0.106.0" }
  }
}

variable "endpoint" { type = string }
variable "machines" { type = number }

provider "proxmox" {
  endpoint = var.endpoint
}

resource "proxmox_virtual_environment_vm" "machine" {
  count         = var.machines
  name          = "machine-${count.index}"
  node_name     = "pve1"
  vm_id         = 700 + count.index
  started       = false
  machine       = "q35"
  bios          = "ovmf"
  scsi_hardware = "virtio-scsi-pci"
  tags          = ["many"]

  agent { enabled = true }
  cpu {
    cores = 2
    type  = "x86-64-v2-AES"
  }
  memory { dedicated = 2048 }
  operating_system { type = "l26" }
  efi_disk {
    datastore_id = "local-lvm"
    type         = "4m"
  }
  disk {
    datastore_id = "local-lvm"
    interface    = "scsi0"
    size         = 10
    import_from  = "local:import/talos.qcow2"
  }
  network_device { bridge = "vmbr0" }
  serial_device {}
}

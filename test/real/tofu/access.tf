terraform {
  required_providers {
    proxmox = { source = "bpg/proxmox", version = "0.106.0" }
  }
}

variable "endpoint" { type = string }
variable "comment" {
  type    = string
  default = "made by tofu"
}
variable "zone" {
  type    = string
  default = "Europe/Oslo"
}

provider "proxmox" {
  endpoint = var.endpoint
}

resource "proxmox_virtual_environment_group" "ops" {
  group_id = "ops"
  comment  = var.comment
  acl {
    path      = "/vms"
    propagate = true
    role_id   = proxmox_virtual_environment_role.look.role_id
  }
}

resource "proxmox_virtual_environment_role" "look" {
  role_id    = "look"
  privileges = ["VM.Audit", "Sys.Audit"]
}

resource "proxmox_virtual_environment_user" "anna" {
  user_id  = "anna@pve"
  password = "not-a-secret-here"
  comment  = var.comment
  groups   = [proxmox_virtual_environment_group.ops.group_id]
}

resource "proxmox_virtual_environment_user_token" "robot" {
  user_id    = proxmox_virtual_environment_user.anna.user_id
  token_name = "robot"
  comment    = var.comment
}

resource "proxmox_virtual_environment_acl" "robot" {
  token_id  = proxmox_virtual_environment_user_token.robot.id
  role_id   = proxmox_virtual_environment_role.look.role_id
  path      = "/vms"
  propagate = true
}

resource "proxmox_virtual_environment_dns" "pve2" {
  node_name = "pve2"
  domain    = "lab.test"
  servers   = ["10.0.0.53", "10.0.1.53"]
}

resource "proxmox_virtual_environment_hosts" "pve2" {
  node_name = "pve2"
  entry {
    address   = "10.0.0.2"
    hostnames = ["pve2", "pve2.lab.test"]
  }
}

resource "proxmox_virtual_environment_time" "pve2" {
  node_name = "pve2"
  time_zone = var.zone
}

data "proxmox_virtual_environment_groups" "all" {
  depends_on = [proxmox_virtual_environment_group.ops]
}
data "proxmox_virtual_environment_group" "ops" {
  group_id   = proxmox_virtual_environment_group.ops.group_id
  depends_on = [proxmox_virtual_environment_user.anna]
}
data "proxmox_virtual_environment_roles" "all" {
  depends_on = [proxmox_virtual_environment_role.look]
}
data "proxmox_virtual_environment_users" "all" {
  depends_on = [proxmox_virtual_environment_user.anna]
}
data "proxmox_virtual_environment_dns" "pve2" {
  node_name  = "pve2"
  depends_on = [proxmox_virtual_environment_dns.pve2]
}

output "groups" { value = data.proxmox_virtual_environment_groups.all.group_ids }
output "members" { value = data.proxmox_virtual_environment_group.ops.members }
output "users" { value = sort(data.proxmox_virtual_environment_users.all.user_ids) }
output "looks" { value = contains(data.proxmox_virtual_environment_roles.all.role_ids, "look") }
output "servers" { value = data.proxmox_virtual_environment_dns.pve2.servers }

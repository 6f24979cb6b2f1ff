"""What people do with proxmoxer: list, create, reconfigure, start, read, stop, delete. Prints what it saw as JSON."""

import json
import os
import sys
from urllib.parse import urlparse

from proxmoxer import ProxmoxAPI, ResourceException
from proxmoxer.tools import Tasks

endpoint = urlparse(os.environ["ENDPOINT"])
identity, secret = os.environ["TOKEN"].split("=", 1)
user, name = identity.split("!", 1)


def connect(**how):
    return ProxmoxAPI(endpoint.hostname, port=endpoint.port, verify_ssl=os.environ["CA"], timeout=30, **how)


api = connect(user=user, token_name=name, token_value=secret)
saw = {}


def done(upid):
    status = Tasks.blocking_status(api, upid, timeout=60, polling_interval=0.05)
    return status["exitstatus"]


saw["version"] = api.version.get()["release"]
saw["nodes"] = sorted(node["node"] for node in api.nodes.get())
saw["quorate"] = [row["quorate"] for row in api.cluster.status.get() if row["type"] == "cluster"]
saw["free id"] = api.cluster.nextid.get()

host = api.nodes(saw["nodes"][0])
saw["create"] = done(
    host.qemu.post(
        vmid=950,
        name="by-proxmoxer",
        memory=1024,
        cores=2,
        scsihw="virtio-scsi-pci",
        scsi0="local-lvm:8",
        net0="virtio,bridge=vmbr0",
        ostype="l26",
        agent=1,
        tags="b,a",
    )
)
vm = host.qemu(950)
config = vm.config.get()
saw["config"] = {key: config[key] for key in ("name", "memory", "cores", "tags", "boot")}
saw["disk"] = config["scsi0"]

saw["put"] = vm.config.put(memory=2048, description="two lines\nof text")
saw["post"] = done(vm.config.post(scsi1="local-lvm:4", onboot=1))
saw["resize"] = done(vm.resize.put(disk="scsi0", size="+2G"))
config = vm.config.get()
saw["changed"] = {key: config[key] for key in ("memory", "description", "onboot")}
saw["disks"] = [config["scsi0"].rsplit("size=", 1)[1], config["scsi1"].rsplit("size=", 1)[1]]

saw["start"] = done(vm.status.start.post())
saw["running"] = vm.status.current.get()["status"]
try:
    host.qemu(950).delete()
    saw["delete while running"] = "accepted"
except ResourceException as refused:
    saw["delete while running"] = [refused.status_code, str(refused.content)]
saw["stop"] = done(vm.status.stop.post())
saw["listed"] = [(row["vmid"], row["status"]) for row in host.qemu.get()]
saw["tasks"] = sorted({row["type"] for row in host.tasks.get(vmid=950)})
saw["delete"] = done(vm.delete(purge=1, **{"destroy-unreferenced-disks": 1}))
try:
    vm.config.get()
except ResourceException as refused:
    saw["gone"] = [refused.status_code, str(refused.content)]

iso = os.path.join(os.environ["FOLDER"], "by-proxmoxer.iso")
with open(iso, "wb") as file:
    file.write(b"\0" * 40960)
with open(iso, "rb") as file:
    saw["upload"] = done(host.storage("local").upload.post(content="iso", filename=file))
saw["files"] = [row["volid"] for row in host.storage("local").content.get(content="iso") if "by-proxmoxer" in row["volid"]]
saw["remove"] = done(host.storage("local").content("local:iso/by-proxmoxer.iso").delete())

try:
    host.qemu.post(vmid=951, nonsense=1)
except ResourceException as refused:
    saw["refused"] = [refused.status_code, str(refused.content), refused.errors]

ticket = connect(user=os.environ["USERNAME"], password=os.environ["PASSWORD"])
saw["ticket"] = ticket.version.get()["release"]
saw["pool"] = [ticket.pools.post(poolid="by-ticket"), ticket.pools.get(), ticket.pools.delete(poolid="by-ticket")]

json.dump(saw, sys.stdout)

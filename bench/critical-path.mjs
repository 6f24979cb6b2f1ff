// What a bring-up and a tear-down cannot be faster than, from the twins' own durations. Only what one thing waits for after the
// other counts: no call, no poll, no process of ours.
//
// It was checked against the events of runs at speed 1: from the request to bootstrap to the last node that is Ready, a run took
// what `joined` says to a tenth of a second; a disk of the lab's factory is imported in 4.9 s, and a VM made and grown in 6.0 s.
const GiB = 1024 ** 3;

/** Disks are allocated one at a time on a datastore of a host, in src/lab/proxmox/qemu/disks/allocate.ts. */
const allocatesMs = 50;

/**
 * Milliseconds of the lab's clock until all nodes are Ready. `disk` is the system's disk as it comes from the factory, `allocated`
 * how many disks a machine is made with; hosts fetch, and machines are made, all at the same time.
 */
export function bringUp({ proxmox, talos, kubernetes }, { imageBytes, disk, allocated, controlPlanes }) {
  const image = (proxmox.downloadPerGiB * imageBytes) / GiB;
  // The import asks what the image is (`create`), makes its disks, and copies; then the disk is grown.
  const made = proxmox.create + allocated * allocatesMs + (proxmox.importPerGiB * disk) / GiB + proxmox.resize;
  // A machine that runs from its disk has nothing to install: its configuration counts at once.
  const reached = proxmox.start + talos.boot;
  // From the request on: three quarters of etcd's start until it is a member, then until it is healthy.
  const etcd = talos.etcdStart * 0.75 + talos.etcdHealthy;
  // A learner at a time: half of a start, and it learns.
  const joined = (controlPlanes - 1) * (talos.etcdStart / 2 + talos.learner);
  // The node of a control plane registers when its static pods run; its kubelet is up long before.
  const registered = talos.controlPlane;
  // Its pod of the network starts, and the network is there. Kubernetes says when a pod was ready in whole seconds, so that half of
  // one is over already. Before the first pod, a Job must have installed it.
  const pod = kubernetes.podStart + Math.max(0, kubernetes.networkUp - 500);
  const installed = kubernetes.podStart + kubernetes.jobRun;
  const alone = etcd + registered + installed + pod;
  const last = etcd + joined + registered + pod;
  return image + made + reached + Math.max(alone, last);
}

/** Machines are stopped, and then deleted with their disks, all at the same time. */
export const tearDown = ({ proxmox }) => proxmox.stop + proxmox.destroy;

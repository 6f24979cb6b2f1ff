import { rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { Lab } from '../lab/lab.ts';

/** How a lab is at the moment, as it tells it itself. */
export type LabState = {
  readonly hosts: readonly { readonly name: string; readonly endpoint: string; readonly vms: number }[];
  readonly vms: readonly LabVm[];
  readonly clusters: readonly LabCluster[];
};

/** A Kubernetes that runs in the lab’s machines, and its nodes. */
export type LabCluster = {
  readonly name: string;
  readonly endpoint: string;
  readonly nodes: readonly { readonly name: string; readonly ready: boolean; readonly version: string }[];
};

export type LabVm = {
  readonly vmid: number;
  readonly name: string;
  readonly host: string;
  readonly running: boolean;
  /** What is in it; absent: nothing that tells. */
  readonly talos?: { readonly version: string; readonly stage: string; readonly hostname: string };
  readonly addresses: readonly string[];
};

function stateOf({ proxmox, guests, clusters }: Lab): LabState {
  const inside = new Map(guests.running().map((guest) => [guest.vmid, guest]));
  const vms = proxmox.vms().map(({ vmid, host, running, config }): LabVm => {
    const { talos, addresses = [] } = inside.get(vmid) ?? {};
    return {
      vmid,
      name: config['name'] ?? `VM ${vmid}`,
      host,
      running,
      ...(talos === undefined ? {} : { talos }),
      addresses,
    };
  });
  return {
    hosts: [...proxmox.endpoints].map(([name, endpoint]) => ({
      name,
      endpoint,
      vms: vms.filter(({ host }) => host === name).length,
    })),
    vms: vms.toSorted((one, other) => one.vmid - other.vmid),
    clusters: clusters.map(({ name, endpoint, twin }) => ({
      name,
      endpoint,
      nodes: twin.api.list('/nodes').map(({ metadata: { name: node = '' }, status }) => ({
        name: node,
        ready: twin.isReady(node),
        version: (status as { nodeInfo?: { kubeletVersion?: string } } | undefined)?.nodeInfo?.kubeletVersion ?? '',
      })),
    })),
  };
}

/** Answers on a socket in the lab’s folder, which only its owner may enter. */
export async function serveControl(path: string, lab: Lab): Promise<AsyncDisposable> {
  await rm(path, { force: true });
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(stateOf(lab)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return {
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Undefined: it does not answer. */
export function askControl(socketPath: string): Promise<LabState | undefined> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/', timeout: 5000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve(JSON.parse(text) as LabState));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}

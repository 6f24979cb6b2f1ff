import type { Lab } from '../../src/lab/lab.ts';
import { call, work } from './proxmox-api.ts';

/** `qm unlock` and `qm destroy`, as a person does who was told to: no token may. */
export async function destroyAsRoot({ proxmox }: Lab, host: string, vmid: number): Promise<void> {
  const [endpoint = ''] = proxmox.endpoints.values();
  const api = { endpoint, ca: proxmox.ca, token: '' };
  const { ticket, CSRFPreventionToken } = (await call(api, 'POST', '/access/ticket', proxmox.password)) as Record<
    string,
    string
  >;
  const session = {
    ...api,
    ticket: { cookie: `PVEAuthCookie=${ticket}`, CSRFPreventionToken: CSRFPreventionToken ?? '' },
  };
  await work(session, 'DELETE', `/nodes/${host}/qemu/${vmid}`, { skiplock: '1', 'destroy-unreferenced-disks': '1' });
}

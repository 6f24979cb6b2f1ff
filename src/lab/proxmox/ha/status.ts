import type { Call } from '../call.ts';
import { requestedState } from './config.ts';
import type { Service } from './manager.ts';

type Row = Readonly<Record<string, unknown>>;

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sun Nov 15 23:33:19 2026` */
function timeText(seconds: number): string {
  const at = new Date(seconds * 1000);
  const day = `${days[at.getUTCDay()]} ${months[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2)}`;
  return `${day} ${at.toISOString().slice(11, 19)} ${at.getUTCFullYear()}`;
}

/** Who has not looked for this long is taken for dead. */
const oldSeconds = 120;

const isFresh = ({ datacenter }: Call, timestamp: number): boolean =>
  datacenter.clock.now().getTime() / 1000 - timestamp < oldSeconds;

/** Everything that the manager knows, row by row. */
export function statusRows(call: Call): Row[] {
  return [quorumRow(call), ...masterRows(call), ...fencingRows(call), ...agentRows(call), ...serviceRows(call)];
}

function quorumRow({ datacenter, host }: Call): Row {
  const quorate = datacenter.quorate(host);
  const status = quorate ? 'OK' : `No quorum on node '${host.name}'!`;
  return { id: 'quorum', type: 'quorum', node: host.name, status, quorate: quorate ? 1 : 0 };
}

function masterRows(call: Call): Row[] {
  const { master, timestamp, disarmed } = call.datacenter.ha.manager;
  if (master === undefined) return [];
  const state = isFresh(call, timestamp) ? 'active' : 'old timestamp - dead?';
  const extra = disarmed === undefined ? '' : ` - disarmed, resource mode: ${disarmed}`;
  const status = `${master} (${state}, ${timeText(timestamp)})${extra}`;
  return [{ id: 'master', type: 'master', node: master, status, timestamp }];
}

/** Before 9 nobody told about this. */
function fencingRows(call: Call): Row[] {
  const { datacenter, host } = call;
  if (datacenter.version.major < 9) return [];
  const { master, timestamp, disarmed } = datacenter.ha.manager;
  const common = { id: 'fencing', type: 'fencing', node: master ?? host.name };
  if (disarmed !== undefined) {
    const status = `disarmed, resource mode: ${disarmed} (CRM watchdog released)`;
    return [{ ...common, status, 'armed-state': 'disarmed', resource_mode: disarmed }];
  }
  const armed = master !== undefined && isFresh(call, timestamp);
  const [state, watchdog] = armed ? ['armed', 'active'] : ['standby', 'standby'];
  return [{ ...common, status: `${state} (CRM watchdog ${watchdog})`, 'armed-state': state }];
}

function agentRows({ datacenter }: Call): Row[] {
  const { manager, agents } = datacenter.ha;
  return [...manager.hosts.keys()].toSorted().map((node) => {
    const timestamp = agents.looked.get(node) ?? manager.timestamp;
    const { state, watchdog } = agentState(node, agents.working.has(node), [...manager.services.values()]);
    const words = datacenter.version.major < 9 ? state : `${state}, watchdog ${watchdog}`;
    return { id: `lrm:${node}`, type: 'lrm', node, status: `${node} (${words}, ${timeText(timestamp)})`, timestamp };
  });
}

function agentState(node: string, working: boolean, services: readonly Service[]) {
  if (working) return { state: 'active', watchdog: 'active' };
  const asked = services.some(
    (each) => each.node === node && each.state !== 'stopped' && each.state !== 'request_start',
  );
  return { state: asked ? 'wait_for_agent_lock' : 'idle', watchdog: 'standby' };
}

/** First those that the manager knows, then those that wait for it. */
function serviceRows(call: Call): Row[] {
  const { config, manager } = call.datacenter.ha;
  const known = [...manager.services.keys()].toSorted();
  const waiting = [...config.resources.keys()].filter((sid) => !manager.services.has(sid)).toSorted();
  return [...known, ...waiting].map((sid) => serviceRow(call, sid));
}

function serviceRow({ datacenter }: Call, sid: string): Row {
  const { config, manager } = datacenter.ha;
  const service = manager.services.get(sid);
  const resource = config.resources.get(sid);
  const node = service?.node ?? datacenter.vms.get(resource?.vmid ?? 0)?.host;
  const state = manager.disarmed === 'ignore' ? 'ignore' : shownState(service, resource, node);
  const { properties } = resource ?? { properties: new Map<string, string>() };
  const number = (key: string): number => Number(properties.get(key) ?? 1);
  return {
    id: `service:${sid}`,
    type: 'service',
    sid,
    ...(node === undefined ? {} : { node }),
    ...(service === undefined ? {} : { crm_state: service.state }),
    state,
    status: `${sid} (${node ?? '---'}, ${state})`,
    ...(resource === undefined
      ? {}
      : {
          request_state: requestedState(resource),
          max_restart: number('max_restart'),
          max_relocate: number('max_relocate'),
          ...(datacenter.version.major < 9 ? {} : { failback: number('failback') }),
          ...(properties.has('group') ? { group: properties.get('group') } : {}),
          ...(properties.has('comment') ? { comment: properties.get('comment') } : {}),
        }),
  };
}

/** Words for people, who want to know at once that they were heard. */
function shownState(
  service: Service | undefined,
  resource: Parameters<typeof requestedState>[0] | undefined,
  node: string | undefined,
): string {
  if (resource === undefined) return 'deleting';
  const wanted = requestedState(resource);
  if (wanted === 'ignored') return 'ignored';
  if (node === undefined) return 'not found';
  if (service === undefined) return 'queued';
  if (service.state === 'stopped' && wanted === 'started') return 'starting';
  if (service.state === 'stopped' && wanted === 'disabled') return 'disabled';
  if (service.state === 'started' && !service.running) return 'starting';
  if (service.state === 'started' && wanted !== 'started') return 'stopping';
  if (service.state === 'error' && wanted === 'disabled') return 'clearing error flag';
  return service.state;
}

/** The manager’s own notes. */
export function managerStatus({ datacenter, host }: Call): Row {
  const { manager, agents } = datacenter.ha;
  const quorum = { node: host.name, quorate: datacenter.quorate(host) ? '1' : '0' };
  const node_status = Object.fromEntries(manager.hosts);
  if (manager.master === undefined) return { quorum, manager_status: { node_status } };
  const service_status = Object.fromEntries(
    [...manager.services.values()].map(({ sid, node, state, uid, running }) => [
      sid,
      { node, state, uid, ...(running ? { running: 1 } : {}) },
    ]),
  );
  const lrm_status = Object.fromEntries(
    [...manager.hosts.keys()].map((node) => [
      node,
      {
        mode: 'active',
        results: {},
        state: agents.working.has(node) ? 'active' : 'wait_for_agent_lock',
        timestamp: agents.looked.get(node) ?? manager.timestamp,
      },
    ]),
  );
  const { master: master_node, timestamp } = manager;
  return { quorum, lrm_status, manager_status: { master_node, node_status, service_status, timestamp } };
}

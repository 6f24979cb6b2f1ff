import { describe, expect, test } from 'vitest';
import { publish } from './publish.ts';
import { TwinState } from './store.ts';

type Row = {
  readonly what: string;
  readonly say: (state: TwinState) => void;
  readonly at: readonly [namespace: string, type: string, id: string];
  readonly owner: string;
  readonly proto: string;
  readonly yaml: string;
};

// As real v1.13.9 nodes answered.
const recorded: readonly Row[] = [
  {
    what: 'the version',
    say: (state) => publish.version(state, { name: 'Talos', version: 'v1.13.9' }),
    at: ['runtime', 'Versions.runtime.talos.dev', 'version'],
    owner: 'runtime.VersionController',
    proto: 'EgVUYWxvcwoHdjEuMTMuOQ==',
    yaml: 'name: Talos\nversion: v1.13.9\n',
  },
  {
    what: 'a machine in maintenance mode',
    say: (state) => publish.machineStatus(state, { stage: 'maintenance', status: { ready: true } }),
    at: ['runtime', 'MachineStatuses.runtime.talos.dev', 'machine'],
    owner: 'runtime.MachineStatusController',
    proto: 'CAMSAggB',
    yaml: 'stage: maintenance\nstatus:\n    ready: true\n    unmetConditions: []\n',
  },
  {
    what: 'a machine that is not ready',
    say: (state) =>
      publish.machineStatus(state, {
        stage: 'running',
        status: { unmetConditions: [{ name: 'nodeReady', reason: 'node "chk-w1" status is not available yet' }] },
      }),
    at: ['runtime', 'MachineStatuses.runtime.talos.dev', 'machine'],
    owner: 'runtime.MachineStatusController',
    proto: 'CAQSOBI2Cglub2RlUmVhZHkSKW5vZGUgImNoay13MSIgc3RhdHVzIGlzIG5vdCBhdmFpbGFibGUgeWV0',
    yaml: `stage: running
status:
    ready: false
    unmetConditions:
        - name: nodeReady
          reason: node "chk-w1" status is not available yet
`,
  },
  {
    what: 'a link',
    say: (state) =>
      publish.linkStatus(state, 'eth0', {
        index: 2,
        type: 'ether',
        linkIndex: 40,
        flags: ['UP', 'BROADCAST', 'RUNNING', 'MULTICAST', 'LOWER_UP'],
        hardwareAddr: '5a:37:76:80:c1:3a',
        broadcastAddr: 'ff:ff:ff:ff:ff:ff',
        mtu: 1500,
        queueDisc: 'noqueue',
        operationalState: 'up',
        kind: 'veth',
        driver: 'veth',
        driverVersion: '1.0',
        linkState: true,
        speedMbit: 10_000,
        port: 'TwistedPair',
        duplex: 'Full',
      }),
    at: ['network', 'LinkStatuses.net.talos.dev', 'eth0'],
    owner: 'network.LinkStatusController',
    proto: 'CAIQARgoIMOgBCoGWjd2gME6Mgb///////843AtCB25vcXVldWVQBloEdmV0aHoEdmV0aIIBAzEuMLABAbgBkE7IAQE=',
    yaml: `index: 2
type: ether
linkIndex: 40
flags: UP,BROADCAST,RUNNING,MULTICAST,LOWER_UP
hardwareAddr: 5a:37:76:80:c1:3a
permanentAddr: ""
broadcastAddr: ff:ff:ff:ff:ff:ff
mtu: 1500
queueDisc: noqueue
operationalState: up
kind: veth
slaveKind: ""
driver: veth
driverVersion: "1.0"
linkState: true
speedMbit: 10000
port: TwistedPair
duplex: Full
`,
  },
  {
    what: 'the loopback link',
    say: (state) =>
      publish.linkStatus(state, 'lo', {
        index: 1,
        type: 'loopback',
        flags: ['UP', 'LOOPBACK', 'RUNNING', 'LOWER_UP'],
        hardwareAddr: '00:00:00:00:00:00',
        broadcastAddr: '00:00:00:00:00:00',
        mtu: 65_536,
        queueDisc: 'noqueue',
        linkState: true,
        port: 'Other',
        duplex: 'Unknown',
      }),
    at: ['network', 'LinkStatuses.net.talos.dev', 'lo'],
    owner: 'network.LinkStatusController',
    proto: 'CAEQhAYgyYAEKgYAAAAAAAAyBgAAAAAAADiAgARCB25vcXVldWWwAQHAAf8ByAH/AQ==',
    yaml: `index: 1
type: loopback
linkIndex: 0
flags: UP,LOOPBACK,RUNNING,LOWER_UP
hardwareAddr: "00:00:00:00:00:00"
permanentAddr: ""
broadcastAddr: "00:00:00:00:00:00"
mtu: 65536
queueDisc: noqueue
operationalState: unknown
kind: ""
slaveKind: ""
linkState: true
port: Other
duplex: Unknown
`,
  },
  {
    what: 'the hostname',
    say: (state) => publish.hostnameStatus(state, { hostname: 'chk-cp1' }),
    at: ['network', 'HostnameStatuses.net.talos.dev', 'hostname'],
    owner: 'network.HostnameSpecController',
    proto: 'CgdjaGstY3Ax',
    yaml: 'hostname: chk-cp1\ndomainname: ""\n',
  },
  {
    what: 'a service',
    say: (state) => publish.service(state, 'apid', { running: true, healthy: true }),
    at: ['runtime', 'Services.v1alpha1.talos.dev', 'apid'],
    owner: 'v1alpha1.ServiceController',
    proto: 'CAEQAQ==',
    yaml: 'running: true\nhealthy: true\nunknown: false\n',
  },
];

describe('facts are written as Talos writes them', () => {
  test.each(recorded)('$what', ({ say, at, owner, proto, yaml }) => {
    const state = new TwinState(() => new Date(0));
    say(state);
    const found = state.get(...at);
    expect([found?.owner, found?.yaml, Buffer.from(found?.proto ?? []).toString('base64')]).toEqual([
      owner,
      yaml,
      proto,
    ]);
  });
});

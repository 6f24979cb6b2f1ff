import { createClient } from '@connectrpc/connect';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { MachineService, type ServiceHealth, type ServiceInfo } from '../../wire/gen/talos/machine_pb.ts';
import type { ServiceState, TalosReader } from '../talos.ts';
import type { Line } from './call.ts';
import { onlyOne } from './envelope.ts';
import { stillMaintenance } from './problems.ts';

type Reads = Pick<TalosReader, 'version' | 'hostname' | 'services' | 'memory'>;

/** `configured` says that the caller came with a certificate, and so expects a node that has its configuration. */
export function machineReads(line: Line, configured: boolean): Reads {
  const machine = createClient(MachineService, line.transport);
  const { host } = line;
  return {
    async version(signal) {
      const answer = onlyOne(host, await line.ask('version', signal, (options) => machine.version({}, options)));
      // For some tenths of a second after an apply the old server answers, whatever certificate it is shown.
      if (configured && answer.features === undefined) throw stillMaintenance(host);
      const { version, platform } = answer;
      return {
        tag: version?.tag ?? '',
        sha: version?.sha ?? '',
        arch: version?.arch ?? '',
        platform: platform?.name ?? '',
        mode: platform?.mode ?? '',
      };
    },
    hostname: async (signal) =>
      onlyOne(host, await line.ask('the host name', signal, (options) => machine.hostname({}, options))).hostname,
    services: async (signal) =>
      onlyOne(host, await line.ask('services', signal, (options) => machine.serviceList({}, options))).services.map(
        serviceState,
      ),
    async memory(signal) {
      const answer = onlyOne(host, await line.ask('memory', signal, (options) => machine.memory({}, options)));
      return { totalBytes: (answer.meminfo?.memtotal ?? 0n) * 1024n };
    },
  };
}

function serviceState({ id, state, events, health }: ServiceInfo): ServiceState {
  const told = (events?.events ?? []).map((event) => ({
    state: event.state,
    message: event.msg,
    at: event.ts === undefined ? new Date(0) : timestampDate(event.ts),
  }));
  const complaint = health?.lastMessage ?? '';
  return {
    id,
    state,
    health: healthWord(health),
    message: complaint === '' ? (told.at(-1)?.message ?? '') : complaint,
    events: told,
  };
}

export function healthWord(health: ServiceHealth | undefined): ServiceState['health'] {
  if (health === undefined || health.unknown) return 'unknown';
  return health.healthy ? 'healthy' : 'unhealthy';
}

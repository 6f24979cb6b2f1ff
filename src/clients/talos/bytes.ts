import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { createClient } from '@connectrpc/connect';
import type { Data } from '../../wire/gen/talos/common_pb.ts';
import { MachineService } from '../../wire/gen/talos/machine_pb.ts';
import { ContainerDriver } from '../../wire/gen/talos/common_pb.ts';
import type { LogsOf, TalosReader } from '../talos.ts';
import type { Line } from './call.ts';
import type { Verb } from './deadlines.ts';
import { withoutError } from './envelope.ts';
import { badData } from './problems.ts';
import { checkedSnapshot } from './snapshot.ts';
import { firstFileOfTar } from './tar.ts';

type Reads = Pick<TalosReader, 'kubeconfig' | 'etcdSnapshot' | 'logs' | 'dmesg' | 'bootId'>;

/** Everything that arrives as a stream of bytes. */
export function byteReads(line: Line): Reads {
  const machine = createClient(MachineService, line.transport);
  const { host } = line;
  async function* bytesOf(
    verb: Verb,
    signal: AbortSignal,
    call: Parameters<typeof line.stream<Data>>[2],
  ): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const item of line.stream(verb, signal, call)) {
      const { bytes } = withoutError(host, item);
      if (bytes.length > 0) yield bytes;
    }
  }
  return {
    async kubeconfig(signal) {
      const archive = await whole(bytesOf('the kubeconfig', signal, (options) => machine.kubeconfig({}, options)));
      const tar = await promisify(gunzip)(archive).catch(() => undefined);
      const file = tar && firstFileOfTar(tar);
      if (file === undefined)
        throw badData('talos-bad-archive', `What ${host} sent as kubeconfig is not a complete archive.`);
      return new TextDecoder().decode(file);
    },
    etcdSnapshot: (signal) =>
      checkedSnapshot(
        host,
        bytesOf('a snapshot of etcd', signal, (options) => machine.etcdSnapshot({}, options)),
      ),
    logs(of, signal) {
      const verb = of.follow === true ? 'logs as they come' : 'logs';
      return bytesOf(verb, signal, (options) => machine.logs(logsRequest(of), options));
    },
    dmesg({ follow = false, tail = false }, signal) {
      const verb = follow ? 'kernel messages as they come' : 'kernel messages';
      return bytesOf(verb, signal, (options) => machine.dmesg({ follow, tail }, options));
    },
    async bootId(signal) {
      const path = '/proc/sys/kernel/random/boot_id';
      const read = await whole(bytesOf('a file', signal, (options) => machine.read({ path }, options)));
      return new TextDecoder().decode(read).trim();
    },
  };
}

const logsRequest = ({ id, namespace = 'system', tail = -1, follow = false }: LogsOf) => ({
  id,
  namespace,
  driver: namespace === 'k8s.io' ? ContainerDriver.CRI : ContainerDriver.CONTAINERD,
  follow,
  tailLines: tail,
});

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

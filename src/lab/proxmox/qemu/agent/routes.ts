import { answer } from '../../call.ts';
import type { Answer, Call, Handler, Routes } from '../../call.ts';
import { agentIn, required, told } from './ask.ts';

/** Commands without parameters, by the method that they are asked with. */
const simple: Readonly<Record<'GET' | 'POST', string>> = {
  GET: 'get-fsinfo get-host-name get-memory-block-info get-memory-blocks get-osinfo get-time get-timezone get-users get-vcpus info network-get-interfaces',
  POST: 'fsfreeze-freeze fsfreeze-status fsfreeze-thaw fstrim ping shutdown suspend-disk suspend-hybrid suspend-ram',
};
const withParameters = ['exec', 'exec-status', 'file-read', 'file-write', 'set-user-password'];

/** An error of the agent is no error of the call: both stand under `result`. */
const say = async (call: Call, command: string): Promise<Answer> =>
  answer({ result: told(call, await agentIn(call), command) });

export const agentRoutes: Routes = {
  'GET /nodes/{node}/qemu/{vmid}/agent': () =>
    answer([...simple.GET.split(' '), ...simple.POST.split(' '), ...withParameters].sort().map((name) => ({ name }))),
  'POST /nodes/{node}/qemu/{vmid}/agent': (call) => say(call, call.text('command') ?? ''),
  ...(Object.fromEntries(
    Object.entries(simple).flatMap(([method, commands]) =>
      commands
        .split(' ')
        .map((command): [string, Handler] => [
          `${method} /nodes/{node}/qemu/{vmid}/agent/${command}`,
          (call) => say(call, command),
        ]),
    ),
  ) as Routes),
  'POST /nodes/{node}/qemu/{vmid}/agent/exec': async (call) => {
    const [path = '', ...rest] = commandOf(call);
    const input = call.text('input-data');
    const result = await required(call, 'exec', {
      path,
      arg: rest.join('\n'),
      ...(input === undefined ? {} : { 'input-data': Buffer.from(input).toString('base64') }),
    });
    return answer(result);
  },
  'GET /nodes/{node}/qemu/{vmid}/agent/exec-status': async (call) =>
    answer(decoded(await required(call, 'exec-status', { pid: call.text('pid') ?? '' }))),
  'GET /nodes/{node}/qemu/{vmid}/agent/file-read': async (call) => {
    const result = await required(call, 'file-read', { file: call.text('file') ?? '' });
    const content = typeof result['content'] === 'string' ? result['content'] : '';
    return answer(part(call, Buffer.from(content)));
  },
  'POST /nodes/{node}/qemu/{vmid}/agent/file-write': async (call) => {
    await required(call, 'file-write', { file: call.text('file') ?? '', content: call.text('content') ?? '' });
    return answer(null);
  },
  'POST /nodes/{node}/qemu/{vmid}/agent/set-user-password': async (call) => {
    const result = await required(call, 'set-user-password', { username: call.text('username') ?? '' });
    return answer({ result });
  },
};

const commandOf = (call: Call): readonly string[] => {
  const { command } = call.params;
  return typeof command === 'object' ? command : [command ?? ''];
};

/** Output comes in base64, and truth as true and false. */
function decoded(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(result).map(([key, value]): [string, unknown] => {
    if (typeof value === 'boolean') return [key, value ? 1 : 0];
    const isOutput = key === 'out-data' || key === 'err-data';
    return [key, isOutput && typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : value];
  });
  return Object.fromEntries(entries);
}

function part(call: Call, content: Buffer): Record<string, unknown> {
  const start = call.number('offset') ?? 0;
  const end = start + (call.number('count') ?? 16 * 1024 ** 2);
  const read = content.subarray(start, end);
  return {
    content: read.toString(call.text('decode') === '0' ? 'base64' : 'utf8'),
    'bytes-read': read.length,
    ...(end < content.length ? { truncated: 1 } : {}),
  };
}

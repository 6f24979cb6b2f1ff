import { platform } from 'node:os';
import { Problem } from '../model/problem.ts';

export type NetworkWish = { readonly network?: string; readonly mapped: boolean; readonly hosts: number };

export type ChosenNetwork = {
  readonly cidr: string;
  /** The usual one, when somebody else is there. */
  readonly insteadOf?: string;
};

const usual = '127.0.64.0/24';
const candidates = Array.from({ length: 32 }, (_, index) => `127.0.${64 + index}.0/24`);

/** Networks to try in their order; refuses what can be none. */
export const wantedNetworks = ({ network, hosts }: NetworkWish): readonly string[] =>
  network === undefined ? roomy(hosts) : checked(network, hosts);

/** The network that was asked for, or the first that is free; what stands in the way is said with what to type. */
export async function chooseNetwork(wish: NetworkWish): Promise<ChosenNetwork> {
  const { network, mapped, hosts } = wish;
  const wanted = wantedNetworks(wish);
  if (mapped) return { cidr: wanted[0] ?? usual };
  const { obstacleFor } = await import('../lab/lab.ts');
  for (const cidr of wanted) {
    const obstacle = await obstacleFor(cidr, hosts);
    if (obstacle === undefined) return { cidr, ...(cidr === wanted[0] ? {} : { insteadOf: wanted[0] ?? usual }) };
    if (obstacle.kind === 'absent') throw notThere(cidr, obstacle.address);
    if (network !== undefined) throw taken(cidr, `${obstacle.address}:${obstacle.port}`);
  }
  throw taken(usual, 'every network that was tried');
}

/** Half of the network is for hosts, and two addresses of it are nobody’s. */
const roomFor = (prefix: number): number => 2 ** (31 - prefix) - 3;

function roomy(hosts: number): readonly string[] {
  return hosts <= roomFor(24) ? candidates : ['127.1.0.0/20', '127.1.16.0/20', '127.1.32.0/20'];
}

function checked(cidr: string, hosts: number): readonly string[] {
  const wrong = (message: string, remedy: string): Problem => new Problem('bad-options', message, { remedy });
  const [, address = '', length = ''] = /^(127(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(cidr) ?? [];
  const prefix = Number(length);
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  if (address === '' || address.split('.').some((part) => Number(part) > 255) || prefix < 9 || prefix > 26)
    throw wrong(
      `"${cidr}" is no loopback network for a lab.`,
      'Use one of 127.0.0.0/8 with 64 addresses or more, such as 127.0.70.0/24.',
    );
  if (number % 2 ** (32 - prefix) !== 0)
    throw wrong(
      `"${cidr}" does not begin where such a network begins.`,
      'Use the first address of the network, such as 127.0.70.0/24.',
    );
  if (hosts > roomFor(prefix))
    throw wrong(
      `There is no room for ${hosts} hosts in ${cidr}.`,
      'Use a larger network, such as --network 127.1.0.0/20.',
    );
  return [cidr];
}

function taken(cidr: string, what: string): Problem {
  return new Problem(
    'lab-network-taken',
    `Somebody listens on ${what} already, so that there is no place in ${cidr}.`,
    {
      remedy:
        'See which labs run, end one, or use another network:\n    ichor lab status\n    ichor lab start --network 127.0.100.0/24',
    },
  );
}

/** Linux lets programs listen on all of 127.0.0.0/8, others on 127.0.0.1 alone. */
function notThere(cidr: string, address: string): Problem {
  const base = cidr.replace(/\.\d+\/\d+$/, '');
  const add =
    platform() === 'darwin'
      ? `for i in $(seq 1 254); do sudo ifconfig lo0 alias ${base}.$i; done`
      : `sudo ip address add ${cidr} dev lo`;
  return new Problem('lab-cannot-listen', `Nothing can listen on ${address} here.`, {
    remedy: `Add the addresses, or keep to 127.0.0.1 (VMs cannot be reached then):\n    ${add}\n    ichor lab start --mapped`,
  });
}

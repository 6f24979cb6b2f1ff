import { Problem } from '../../model/problem.ts';

/** Where to log in, as ssh is told it and as people type it. What is left out is for ssh’s own configuration to say. */
export type Destination = {
  readonly words: readonly string[];
  /** `root@pve1.example.org`. */
  readonly name: string;
  /** `ssh -p 2222 root@pve1.example.org`. */
  readonly typed: string;
  /** As known_hosts has it: `pve1.example.org`, `[pve1.example.org]:2222`. */
  readonly known: string;
  readonly host: string;
};

export function destinationOf(written: string): Destination {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  const user = decodeURIComponent(url?.username ?? '');
  // What begins with a dash would be an option of ssh.
  if (url?.protocol !== 'ssh:' || !/^[\w.:%][\w.:%-]*$/.test(host) || !/^([\w.][\w.@+-]*)?$/.test(user)) throw unfit();
  if (url.password !== '') throw unfit('a password in it would be read by others; ssh uses your keys and your agent');
  const name = user === '' ? host : `${user}@${host}`;
  return {
    words: [...(user === '' ? [] : ['-l', user]), ...(url.port === '' ? [] : ['-p', url.port]), '--', host],
    name,
    typed: `ssh ${url.port === '' ? '' : `-p ${url.port} `}${name}`,
    known: url.port === '' || url.port === '22' ? host : `[${host}]:${url.port}`,
    host,
  };
}

// What was written is not repeated: it may hold a password.
const unfit = (why = 'it must be ssh://USER@HOST:PORT, where USER and PORT may be left out'): Problem =>
  new Problem('ssh-url', `machines.via cannot be used: ${why}.`, {
    remedy: 'Write it like this:\n    via: ssh://root@pve1.example.org',
  });

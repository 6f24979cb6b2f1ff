import { Problem, type Recovery } from '../../model/problem.ts';
import type { Destination } from './destination.ts';

type Row = {
  readonly says: RegExp;
  readonly code: string;
  readonly recovery?: Recovery;
  readonly message: (to: Destination) => string;
  readonly remedy: (to: Destination) => string;
};

const unreachable = (says: RegExp, because: string): Row => ({
  says,
  code: 'ssh-unreachable',
  recovery: 'retry',
  message: ({ name }) => `ssh does not reach ${name}: ${because}.`,
  remedy: ({ typed }) => `Look whether the host of machines.via is right and up:\n    ${typed} true`,
});

/** What OpenSSH says when it cannot log in; the first that fits. */
const rows: readonly Row[] = [
  {
    says: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    code: 'ssh-host-key-changed',
    message: ({ name }) => `${name} shows another host key than it did before; ssh refuses to go on.`,
    remedy: ({ known, typed }) =>
      `Somebody may be in between. If the host was installed anew, compare the fingerprint on its console (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub), forget the old key and log in once:\n    ssh-keygen -R '${known}' && ${typed} true`,
  },
  {
    says: /Host key verification failed|No \S+ host key is known/,
    code: 'ssh-host-key-unknown',
    message: ({ name }) => `The host key of ${name} is not known here, and ichor does not trust it unseen.`,
    remedy: ({ typed }) => `Log in once by hand, and compare the fingerprint that it shows:\n    ${typed} true`,
  },
  {
    says: /Permission denied|Too many authentication failures|No more authentication methods/,
    code: 'ssh-denied',
    message: ({ name }) => `${name} does not let you in with any key that ssh has.`,
    remedy: ({ typed }) =>
      `Load your key into the agent (ssh-add), or name it in ~/.ssh/config; ichor never asks for passwords. This must work without a question:\n    ${typed} -o BatchMode=yes true`,
  },
  unreachable(/Could not resolve hostname/, 'its name has no address'),
  unreachable(/Connection refused/, 'nothing listens there'),
  unreachable(/timed out|timeout/i, 'it does not answer'),
  unreachable(/No route to host|Network is unreachable/, 'there is no way to it'),
  unreachable(/Connection (closed|reset) by|kex_exchange_identification/, 'it hung up'),
];

/** Why there is no tunnel, from ssh’s own words. */
export function loginProblem(said: string, to: Destination): Problem {
  const row = rows.find(({ says }) => says.test(said));
  if (row !== undefined)
    return new Problem(row.code, row.message(to), { recovery: row.recovery ?? 'ask', remedy: row.remedy(to) });
  const last = said.trim().split('\n').slice(-3).join(' ').replaceAll('\r', '');
  return new Problem('ssh-failed', `ssh to ${to.name} failed: ${last === '' ? 'it did not say why' : last}`, {
    remedy: `Look what it says by hand:\n    ${to.typed} -v true`,
  });
}

export const sshMissing = (cause: unknown): Problem =>
  new Problem('ssh-missing', 'The file has machines.via, and there is no ssh program on this machine.', {
    cause,
    remedy: 'Install OpenSSH’s client:\n    sudo apt install openssh-client',
  });

/** What a node that cannot be reached is told as by the kernel, and by whoever dials through a tunnel. */
const codes: readonly (readonly [says: RegExp, code: string])[] = [
  [/Connection refused/, 'ECONNREFUSED'],
  [/timed out/i, 'ETIMEDOUT'],
  [/No route to host/, 'EHOSTUNREACH'],
  [/Network is unreachable/, 'ENETUNREACH'],
  [/not known|No address|resolve/i, 'ENOTFOUND'],
];

/** Why the host did not pass us on. */
export function passingProblem(said: string, target: string, to: Destination): Error {
  if (/administratively prohibited/.test(said))
    return new Problem('ssh-forwarding-refused', `${to.name} lets you in, and does not pass you on to ${target}.`, {
      remedy: `Its sshd must have AllowTcpForwarding yes (or local), and PermitOpen must not leave ${target} out:\n    ${to.typed} "sshd -T | grep -iE 'allowtcpforwarding|permitopen'"`,
    });
  const code = codes.find(([says]) => says.test(said))?.[1] ?? 'EHOSTUNREACH';
  return Object.assign(new Error(`${target} cannot be reached from ${to.host}`), { code });
}

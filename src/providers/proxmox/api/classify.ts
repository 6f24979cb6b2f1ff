import { Problem } from '../../../model/problem.ts';
import { forbidden } from './permission.ts';
import { ApiProblem, type Told } from './problem.ts';
import { refusals, type Asked, type Found } from './refusals.ts';

/** What a host answered instead of 200. */
export type Refused = {
  readonly status: number;
  readonly said: string;
  readonly errors: Readonly<Record<string, string>>;
};

export function refusalOf(refused: Refused, asked: Asked): ApiProblem {
  const said = sentence(refused);
  const told: Told = { fate: 'refused', passing: false, status: refused.status, said, errors: refused.errors };
  if (refused.status >= 595 && refused.status <= 599) return unreachable(refused, asked, told);
  if (refused.status === 403 && !/pool '|API token/.test(said)) return forbidden(asked, told);
  return meaning(said, asked, told) ?? unforeseen(asked, told);
}

/** What a task that failed said, as a problem of whatever it was started for. */
export function taskFailure(exit: string, log: readonly string[], asked: Asked): ApiProblem {
  const told: Told = { fate: 'refused', passing: false, said: exit };
  const refused = /\b403 Permission check failed/.test(exit) ? forbidden(asked, told) : meaning(exit, asked, told);
  const problem = refused ?? unforeseen(asked, told);
  const lines = log.filter((line) => !line.startsWith('TASK ERROR') && line.trim() !== exit).slice(-logLines);
  if (lines.length === 0) return problem;
  return new ApiProblem(
    problem.code,
    `${problem.message}\nThe last lines of its log:\n${lines.map((line) => `    ${line}`).join('\n')}`,
    problem,
    { recovery: problem.recovery, remedy: problem.remedy },
  );
}

const logLines = 6;

function meaning(said: string, asked: Asked, told: Told): ApiProblem | undefined {
  for (const row of refusals) {
    const match = row.words.exec(said);
    if (match === null || (row.status !== undefined && row.status !== told.status)) continue;
    const found: Found = (group) => match[group] ?? '';
    return new ApiProblem(
      row.code,
      row.message?.(found, asked) ?? `Proxmox refused to ${asked.doing}: ${said}`,
      { ...told, fate: row.fate ?? told.fate, passing: row.passing ?? false },
      { recovery: row.recovery, remedy: row.remedy(found, asked) },
    );
  }
  return undefined;
}

const unforeseen = (asked: Asked, told: Told): ApiProblem =>
  new ApiProblem(
    told.status === 400 ? 'proxmox-bad-request' : 'proxmox-refused',
    `Proxmox refused to ${asked.doing}: ${told.said}`,
    told,
    { recovery: 'ask' },
  );

/** 595: the host that was asked could not reach the one that is meant. Behind that, something may have been done. */
function unreachable({ status, said }: Refused, asked: Asked, told: Told): ApiProblem {
  const whom = asked.host ?? 'the host';
  const remedy = `Look whether the host is up and its API answers:\n    ssh root@${asked.host ?? 'HOST'} systemctl status pveproxy pvedaemon`;
  if (status === 595) {
    return new ApiProblem(
      'proxmox-host-offline',
      `Proxmox could not ${asked.doing}: ${whom} cannot be reached by the host that was asked (${said}).`,
      { ...told, fate: 'not done' },
      { recovery: 'retry', remedy },
    );
  }
  return new ApiProblem(
    'proxmox-lost-answer',
    `Proxmox was asked to ${asked.doing}, and ${whom} did not say how that ended (${status} ${said}).`,
    { ...told, fate: 'unknown' },
    { recovery: 'retry', remedy },
  );
}

/** All that is wrong in one line: the message, and what is said about single parameters. */
function sentence({ said, errors }: Refused): string {
  const details = Object.entries(errors).map(([name, text]) => `${name}: ${text.trim().replaceAll('\n', ' ')}`);
  const first = said.trim().replaceAll(/\s*\n\s*/g, ' ');
  return details.length === 0 ? first : [first.replace(/\.$/, ''), details.join('; ')].join(' - ');
}

/** No answer came at all. */
export function lossOf(error: unknown, endpoint: string, asked: Asked, sent: boolean): Problem {
  const known = problemIn(error);
  if (known !== undefined) return known;
  const because = reasonOf(error);
  const told: Told = { fate: sent ? 'unknown' : 'not done', passing: false };
  return sent
    ? new ApiProblem(
        'proxmox-lost-answer',
        `${endpoint} was asked to ${asked.doing}, and no answer came: ${because}.`,
        told,
        {
          recovery: 'retry',
          remedy: `Look whether the API answers:\n    curl -sk https://${endpoint}/api2/json/version`,
        },
      )
    : new ApiProblem('proxmox-unreachable', `${endpoint} could not be asked to ${asked.doing}: ${because}.`, told, {
        recovery: 'retry',
        remedy: `Look whether the host is up, and whether this machine reaches it:\n    curl -sk https://${endpoint}/api2/json/version`,
      });
}

function problemIn(error: unknown): Problem | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof Problem) return at;
  return undefined;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  ETIMEDOUT: 'it took too long',
  TimeoutError: 'it took too long',
  EHOSTUNREACH: 'it cannot be reached over the network',
  ENETUNREACH: 'it cannot be reached over the network',
  EHOSTDOWN: 'it cannot be reached over the network',
  ENOTFOUND: 'the name has no address',
  EAI_AGAIN: 'the name has no address',
  ERR_SSL_WRONG_VERSION_NUMBER: 'something else than Proxmox answers there',
  EPROTO: 'something else than Proxmox answers there',
};

/** What Node and its libraries say is for us; only what is understood is passed on. */
function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const named = [(at as NodeJS.ErrnoException).code, at.name].flatMap((name) => reasons[name ?? ''] ?? []);
    if (named[0] !== undefined) return named[0];
    if ('syscall' in at || String((at as NodeJS.ErrnoException).code).startsWith('ERR_SSL')) return at.message;
  }
  return 'the connection was lost';
}

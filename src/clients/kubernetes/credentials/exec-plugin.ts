import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { Problem } from '../../../model/problem.ts';
import { shownText } from '../../../model/secrets.ts';
import type { ExecPlugin, KubernetesTarget, KubernetesTools } from '../../kubernetes.ts';
import { readExecAnswer, type ExecAnswer } from './exec-answer.ts';
import { within } from '../../../model/signals.ts';

const minute = 60_000;
/** Whoever has to open a browser is given time. */
const patienceMs = { alone: 2 * minute, asking: 10 * minute };
const mostSaid = 64 * 1024;
const linesTold = 8;

export type ExecSurroundings = Pick<KubernetesTools, 'env' | 'terminal' | 'warn'>;

/** Runs a plugin once. What it writes to its error output is told live where somebody sits who is asked something. */
export async function runPlugin(
  plugin: ExecPlugin,
  target: KubernetesTarget,
  { env = {}, terminal = false, warn = () => undefined }: ExecSurroundings,
  signal: AbortSignal,
): Promise<ExecAnswer> {
  const asking = plugin.interactive !== 'Never' && terminal;
  if (plugin.interactive === 'Always' && !terminal) throw nobodyToAsk(plugin);
  using soon = within(asking ? patienceMs.asking : patienceMs.alone, signal);
  const ran = await run(
    plugin,
    { ...env, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(questionOf(plugin, target, asking)) },
    asking ? warn : undefined,
    soon,
  );
  signal.throwIfAborted();
  if (ran.kind === 'not started') throw notStarted(plugin, ran.error);
  if (ran.kind === 'failed') throw failed(plugin, ran.because, ran.said);
  const answer = readExecAnswer(ran.printed, plugin.apiVersion);
  if ('wrong' in answer) throw failed(plugin, answer.wrong, ran.said);
  return answer;
}

function questionOf(plugin: ExecPlugin, target: KubernetesTarget, interactive: boolean): object {
  const cluster = {
    server: target.server,
    ...(target.tlsServerName === undefined ? {} : { 'tls-server-name': target.tlsServerName }),
    ...(target.insecure ? { 'insecure-skip-tls-verify': true } : {}),
    ...(target.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(target.ca).toString('base64') }),
    ...(target.proxy === undefined ? {} : { 'proxy-url': target.proxy }),
    ...(plugin.clusterConfig === undefined ? {} : { config: plugin.clusterConfig }),
  };
  return {
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion,
    spec: { ...(plugin.clusterInfo ? { cluster } : {}), interactive },
  };
}

type Ran =
  | { readonly kind: 'not started'; readonly error: NodeJS.ErrnoException }
  | { readonly kind: 'failed'; readonly because: string; readonly said: string }
  | { readonly kind: 'ended'; readonly printed: string; readonly said: string };

function run(
  { command, args }: ExecPlugin,
  env: Readonly<Record<string, string | undefined>>,
  live: ((line: string) => void) | undefined,
  signal: AbortSignal,
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env,
      stdio: [live === undefined ? 'ignore' : 'inherit', 'pipe', 'pipe'],
      signal,
    });
    const printed: Buffer[] = [];
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => printed.push(chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      if (said.length < mostSaid) said += chunk;
      for (const line of chunk.split('\n')) if (line.trim() !== '') live?.(plain(line));
    });
    child.once('error', (error) =>
      resolve(signal.aborted ? { kind: 'failed', because: 'it took too long', said } : { kind: 'not started', error }),
    );
    child.once('close', (code, by) => {
      if (code === 0) resolve({ kind: 'ended', printed: Buffer.concat(printed).toString('utf8'), said });
      else resolve({ kind: 'failed', because: code === null ? `${by} ended it` : `it ended with code ${code}`, said });
    });
  });
}

/** Without what would move a terminal’s cursor about. */
const plain = (text: string): string => stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\t\n]/gu, '');

/** Tokens are long words without spaces; no sentence has one. */
const tokenLike = /\b(?:ey[\w-]{8,}\.[\w.-]+|[\w+/=-]{40,})/g;

/** What a person may read of what a plugin said. */
function saidBy(text: string): string {
  const lines = plain(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-linesTold)
    .map((line) => `    ${(shownText(line) ?? '…').replaceAll(tokenLike, '…')}`);
  return lines.length === 0 ? '' : `\nIt said:\n${lines.join('\n')}`;
}

const failed = ({ command }: ExecPlugin, because: string, said: string): Problem =>
  new Problem('kubernetes-plugin-failed', `The plugin "${command}" gave no credentials: ${because}.${saidBy(said)}`, {
    remedy: `Log in as the plugin wants it, or see what it prints:\n    ${command} --help`,
  });

function notStarted({ command, installHint }: ExecPlugin, error: NodeJS.ErrnoException): Problem {
  const missing = error.code === 'ENOENT';
  const because = missing ? 'it is not installed' : `it cannot be started (${error.code ?? error.message})`;
  const hint = installHint === undefined ? '' : `${plain(installHint).trimEnd()}\n`;
  return new Problem(
    'kubernetes-plugin-missing',
    `The kubeconfig asks the plugin "${command}" for credentials, and ${because}.`,
    {
      remedy: `${hint}Install it, or name another program in the kubeconfig’s users[].user.exec.command:\n    command -v ${command}`,
      cause: error,
    },
  );
}

const nobodyToAsk = ({ command }: ExecPlugin): Problem =>
  new Problem(
    'kubernetes-plugin-interactive',
    `The plugin "${command}" has to ask somebody, and nobody sits at a terminal here.`,
    {
      remedy:
        'Run this in a terminal, or use credentials that need nobody:\n    kubectl config set-credentials NAME --exec-interactive-mode IfAvailable',
    },
  );

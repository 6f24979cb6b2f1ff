import module from 'node:module';
import { Command, CommanderError } from 'commander';
import { doctor } from './cli/doctor.ts';
import { drain } from './cli/drain.ts';
import { explain } from './cli/explain.ts';
import { failure } from './cli/failure.ts';
import { hosts } from './cli/hosts.ts';
import { machines } from './cli/machines.ts';
import { place } from './cli/place.ts';
import { importFile } from './cli/import.ts';
import { init } from './cli/init.ts';
import { schema } from './cli/schema.ts';
import { terminal } from './cli/terminal.ts';
import { validate } from './cli/validate.ts';
import type { KubernetesDoor } from './cli/kubernetes-door.ts';
import type { OpenProvider, ProviderDoor } from './cli/provider-door.ts';
import type { TalosTools } from './cli/talos-door.ts';

declare const ICHOR_VERSION: string;

// Node 22 and later keep what they compiled; a second start is a third faster.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const program = new Command('ichor')
  .description('Builds and keeps whole Talos Linux Kubernetes platforms from one declarative file.')
  .version(ICHOR_VERSION, '-V, --version', 'print the version')
  .option('--no-color', 'plain text, also on a terminal (as NO_COLOR does)')
  .helpOption('-h, --help', 'print help')
  .helpCommand('help [command]', 'print help for a command')
  .configureHelp({ sortSubcommands: true })
  .showSuggestionAfterError()
  .showHelpAfterError('(ichor help shows what there is)')
  // What stands behind an unknown option may have been meant for --set, and may be a secret.
  .configureOutput({ outputError: (text, write) => write(text.replace(/(option '--?[\w-]+=)[^\n]*'/, "$1…'")) })
  .addHelpText(
    'after',
    `
Examples:
  ichor init                          write a first file
  ichor validate -f platform.yaml     is it right?
  ichor place -f platform.yaml        does it fit, and what if a host dies?
  ichor doctor -f platform.yaml       would anything stop me?
  ichor hosts -f platform.yaml        how full are the hosts?
  ichor explain cluster.workers       what can be said there?
  ichor talos gen -f platform.yaml    the cluster’s secrets and configurations`,
  );

const here = () => terminal(program.opts<{ color: boolean }>().color);

const openProvider: OpenProvider = async ({ provider }, { secrets, ca }, warn) => {
  if (provider.kind !== 'proxmox') throw new Error(`There is nothing that could ask ${provider.kind}.`);
  const [
    { openProxmox },
    { imageFetcher, imageTrier },
    { dialTcp },
    { systemClock },
    { cacheFolder, proxies },
    { setTimeout },
  ] = await Promise.all([
    import('./providers/proxmox/proxmox.ts'),
    import('./clients/images/fetch.ts'),
    import('./clients/talos/tcp.ts'),
    import('./state/system.ts'),
    import('./cli/environment.ts'),
    import('node:timers/promises'),
  ]);
  const credentials =
    provider.login === undefined
      ? ({ kind: 'token', token: secrets.get('token') ?? '' } as const)
      : ({ kind: 'login', username: provider.login.username, password: secrets.get('password') ?? '' } as const);
  const images = { folder: cacheFolder('images'), proxies: proxies() };
  return openProxmox(
    provider,
    { credentials, ca },
    {
      clock: systemClock,
      pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
      random: Math.random,
      warn,
      connect: dialTcp,
      fetchFile: imageFetcher(images),
      tryFile: imageTrier(images),
    },
  );
};
const providers: ProviderDoor = { terminal: here, open: openProvider };

doctor(program, providers);
explain(program, here);
hosts(program, providers);
machines(program, providers);
place(program, providers);
importFile(program, here);
init(program, here);
schema(program, here);
validate(program, here);

const talosTools: TalosTools = {
  client: async () => {
    const [{ openTalos }, { probeTalos }, { checkHealth }, { bootstrapOnce }] = await Promise.all([
      import('./clients/talos/node.ts'),
      import('./clients/talos/probe.ts'),
      import('./clients/talos/health.ts'),
      import('./clients/talos/bootstrap.ts'),
    ]);
    return { open: openTalos, probe: probeTalos, checkHealth, bootstrapOnce };
  },
  system: async () => {
    const [{ systemClock, systemEntropy }, { setTimeout }] = await Promise.all([
      import('./state/system.ts'),
      import('node:timers/promises'),
    ]);
    return {
      clock: systemClock,
      entropy: systemEntropy,
      pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
    };
  },
};

const kubernetes: KubernetesDoor = {
  terminal: here,
  open: async ({ kubeconfig, context }, warn) => {
    const [{ findKubernetes }, { openKubernetes }] = await Promise.all([
      import('./clients/kubernetes/kubeconfig/target.ts'),
      import('./clients/kubernetes/client.ts'),
    ]);
    const { env } = process;
    const choice = {
      ...(kubeconfig === undefined ? {} : { file: kubeconfig }),
      ...(context === undefined ? {} : { context }),
    };
    const target = await findKubernetes(choice, { env, warn });
    return openKubernetes(target, { env, warn, terminal: here().interactive, userAgent: `ichor/${ICHOR_VERSION}` });
  },
  helm: async (signal) => (await import('./clients/helm/helm.ts')).findHelm(process.env, signal),
  system: talosTools.system,
};
drain(program, kubernetes);

const cni = program
  .command('cni')
  .description('the pod network of a platform: what its chart is told, and installing it');
const lab = program.command('lab').description('places to try things: nodes on loopback that speak the real protocols');
const talos = program.command('talos').description('secrets, configurations and nodes of Talos, without talosctl');
// What stands below them is known only when it is meant: everything else starts without it.
const [first, second] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const meant = first === 'help' ? second : first;
if (meant === 'cni') {
  const { cniCommands } = await import('./cli/cni.ts');
  cniCommands(cni, kubernetes);
} else if (meant === 'lab') {
  const { labCommands } = await import('./cli/lab.ts');
  labCommands(lab, { terminal: here, tools: talosTools });
} else if (meant === 'talos') {
  const { talosCommands } = await import('./cli/talos.ts');
  talosCommands(talos, { terminal: here, tools: talosTools });
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else process.exitCode = failure(error, process.argv, here());
}

import module from 'node:module';
import { Command, CommanderError, Help, type Option } from 'commander';
import { destroy } from './cli/destroy.ts';
import { diff } from './cli/diff.ts';
import { aboutTheSame, type FlagsOf } from './cli/command-line.ts';
import { completion } from './cli/completion.ts';
import { demo } from './cli/demo.ts';
import { doctor } from './cli/doctor.ts';
import { drain } from './cli/drain.ts';
import { explain } from './cli/explain.ts';
import { failure, formatIn } from './cli/failure.ts';
import { history } from './cli/history.ts';
import { hosts } from './cli/hosts.ts';
import { kubeconfig } from './cli/kubeconfig.ts';
import { machines } from './cli/machines.ts';
import { place } from './cli/place.ts';
import { plan } from './cli/plan.ts';
import { importFile } from './cli/import.ts';
import { init } from './cli/init.ts';
import { schema } from './cli/schema.ts';
import { status } from './cli/status.ts';
import { talosconfig } from './cli/talosconfig.ts';
import { terminal, type Terminal } from './cli/terminal.ts';
import { unlock } from './cli/unlock.ts';
import { up } from './cli/up.ts';
import { usageProblem } from './cli/usage.ts';
import { validate } from './cli/validate.ts';
import { verify } from './cli/verify.ts';
import type { RunDoor } from './cli/engine-door.ts';
import type { StoreDoor } from './cli/store-door.ts';
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

/** That a switch is off unless it is given goes without saying. */
const withoutNo = (option: Option): string => new Help().optionDescription(option).replace(/ \(default: false\)$/, '');

const program = new Command('ichor')
  .description('Builds and keeps whole Talos Linux Kubernetes platforms from one declarative file.')
  .version(ICHOR_VERSION, '-V, --version', 'print the version')
  .option('--no-color', 'plain text, also on a terminal (as NO_COLOR does)')
  .helpOption('-h, --help', 'print help')
  .showSuggestionAfterError()
  // What was typed wrong is told below, as every other problem is.
  .exitOverride()
  .configureHelp({ optionDescription: withoutNo })
  .configureOutput({ outputError: () => {} })
  .addHelpText(
    'after',
    `
Examples:
  ichor demo                          see it work, in a lab on this machine
  ichor init                          write a first file
  ichor doctor -f platform.yaml       would anything stop me?
  ichor plan -f platform.yaml         what would be done, and why?
  ichor up -f platform.yaml           do it
  ichor status -f platform.yaml       how does it stand?
  ichor destroy -f platform.yaml      take it away again`,
  );

/** What was said about the platform that is meant, once a command has begun. */
let typed: Parameters<typeof aboutTheSame>[1] & { readonly output?: string } = {};
program.hook('preAction', (_, action) => void (typed = action.opts()));
const flagsOf: FlagsOf = (name) =>
  program.commands
    .find((command) => command.name() === name || command.aliases().includes(name))
    ?.options.flatMap(({ long }) => long ?? []);
let known: Terminal | undefined;
/** One for all that is said, so that each knows what stands there. */
const here = (): Terminal =>
  (known ??= terminal(program.opts<{ color: boolean }>().color, (remedy) => aboutTheSame(remedy, typed, flagsOf)));

const openProvider: OpenProvider = async (platform, { secrets, ca }, warn) => {
  const { provider } = platform;
  if (provider.kind !== 'proxmox') throw new Error(`There is nothing that could ask ${provider.kind}.`);
  const [
    { openProxmox },
    { imageFetcher, imageTrier },
    { dialTcp },
    { systemClock, systemPause },
    { cacheFolder, proxies },
    { adoptedMachines },
  ] = await Promise.all([
    import('./providers/proxmox/proxmox.ts'),
    import('./clients/images/fetch.ts'),
    import('./clients/talos/tcp.ts'),
    import('./state/system.ts'),
    import('./cli/environment.ts'),
    import('./engine/provider-access.ts'),
  ]);
  const credentials =
    provider.login === undefined
      ? ({ kind: 'token', token: secrets.get('token') ?? '' } as const)
      : ({ kind: 'login', username: provider.login.username, password: secrets.get('password') ?? '' } as const);
  const images = { folder: cacheFolder('images'), proxies: proxies() };
  return openProxmox(
    { ...provider, adopted: adoptedMachines(platform) },
    { credentials, ca },
    {
      clock: systemClock,
      pause: systemPause,
      random: Math.random,
      warn,
      connect: dialTcp,
      fetchFile: imageFetcher(images),
      tryFile: imageTrier(images),
    },
  );
};
const providers: ProviderDoor = { terminal: here, open: openProvider };

const engine: RunDoor = {
  terminal: here,
  open: async (platform, options) => {
    const { openEngine } = await import('./main/engine.ts');
    return openEngine(platform, options, { ...providers, userAgent: `ichor/${ICHOR_VERSION}` });
  },
  engine: async () => import('./engine/converge.ts'),
  self: async () => (await import('./state/process.ts')).thisProcess(),
  leave: () => void setTimeout(() => process.exit(), 1000).unref(),
};

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
    const { systemClock, systemEntropy, systemPause } = await import('./state/system.ts');
    return {
      clock: systemClock,
      entropy: systemEntropy,
      pause: systemPause,
    };
  },
};

const store: StoreDoor = {
  terminal: here,
  store: async ({ workspace }) => {
    const { openFileStore } = await import('./state/file/store.ts');
    return openFileStore({ folder: process.cwd(), workspace });
  },
  system: talosTools.system,
};

const kubernetes: KubernetesDoor = {
  terminal: here,
  open: async ({ kubeconfig: given, context }, warn) => {
    const [{ findKubernetes }, { openKubernetes }] = await Promise.all([
      import('./clients/kubernetes/kubeconfig/target.ts'),
      import('./clients/kubernetes/client.ts'),
    ]);
    const { env } = process;
    const choice = {
      ...(given === undefined ? {} : { file: given }),
      ...(context === undefined ? {} : { context }),
    };
    const target = await findKubernetes(choice, { env, warn });
    return openKubernetes(target, { env, warn, terminal: here().interactive, userAgent: `ichor/${ICHOR_VERSION}` });
  },
  helm: async (signal) => (await import('./clients/helm/helm.ts')).findHelm(process.env, signal),
  system: talosTools.system,
};

// In the order of a platform's life, which is how help lists them.
program.commandsGroup('The file:');
init(program, here);
validate(program, here);
explain(program, here);
schema(program, here);
importFile(program, { talos: { terminal: here, tools: talosTools }, provider: providers });
program.commandsGroup('Before anything is touched:');
place(program, providers);
doctor(program, providers);
hosts(program, providers);
machines(program, providers);
plan(program, engine);
program.commandsGroup('Up and down:');
up(program, engine);
destroy(program, engine);
program.commandsGroup('How it stands:');
status(program, engine);
verify(program, engine);
diff(program, engine);
history(program, store);
unlock(program, store);
kubeconfig(program, store);
talosconfig(program, store);
program.commandsGroup('Parts of a cluster:');
drain(program, kubernetes);

const cni = program
  .command('cni')
  .description('the pod network of a platform: what its chart is told, and installing it');
const talos = program.command('talos').description('secrets, configurations and nodes of Talos, without talosctl');
program.commandsGroup('To try things:');
demo(program, engine);
const lab = program
  .command('lab')
  .description(
    'places to try things: a data centre on loopback that speaks the real protocols, and breaks when you say so',
  );
for (const group of [program.commandsGroup('The command line:'), cni, talos, lab])
  group.helpCommand('help [command]', 'print help for a command');
// What stands below them is known only when it is meant: everything else starts without it.
const below: Readonly<Record<string, () => Promise<void>>> = {
  cni: async () => (await import('./cli/cni.ts')).cniCommands(cni, kubernetes),
  lab: async () => (await import('./cli/lab.ts')).labCommands(lab, { terminal: here, tools: talosTools, kubernetes }),
  talos: async () => (await import('./cli/talos.ts')).talosCommands(talos, { terminal: here, tools: talosTools }),
};
completion(program, {
  terminal: here,
  everything: async () => {
    for (const load of Object.values(below)) await load();
  },
});
const [first, second] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
await below[(first === 'help' ? second : first) ?? '']?.();

try {
  await program.parseAsync();
} catch (error) {
  const words = process.argv.slice(2);
  const said = error instanceof CommanderError ? usageProblem(error, program, words) : error;
  if (said === undefined) process.exitCode = (error as CommanderError).exitCode;
  else
    process.exitCode = failure(
      said,
      formatIn(words, typed.output === undefined ? process.env : { ICHOR_OUTPUT: typed.output }),
      here(),
    );
}

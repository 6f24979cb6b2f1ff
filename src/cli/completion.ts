import { Argument, type Command } from 'commander';
import { commandsOf, type CompletedCommand } from './completion-tree.ts';
import type { Terminal } from './terminal.ts';

type CompletionDoor = {
  readonly terminal: () => Terminal;
  /** Adds what stands below commands and is not there as a rule. */
  readonly everything: () => Promise<void>;
};

type Shell = 'bash' | 'zsh' | 'fish';

export function completion(program: Command, door: CompletionDoor): void {
  program
    .command('completion')
    .description('print what a shell needs to complete commands, options and their values')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  source <(ichor completion bash)          in ~/.bashrc
  source <(ichor completion zsh)           in ~/.zshrc, after compinit
  ichor completion fish | source           in ~/.config/fish/config.fish`,
    )
    .action(async (shell: Shell) => {
      await door.everything();
      const script = await scripts[shell]();
      door.terminal().out(script(commandsOf(program)));
    });
}

const scripts: Readonly<Record<Shell, () => Promise<(commands: readonly CompletedCommand[]) => string>>> = {
  bash: async () => (await import('./views/completion-bash.ts')).bashScript,
  zsh: async () => (await import('./views/completion-zsh.ts')).zshScript,
  fish: async () => (await import('./views/completion-fish.ts')).fishScript,
};

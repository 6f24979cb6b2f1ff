import { expect, test } from 'vitest';
import { aProgram } from '../../test/a-program.ts';
import { commandsOf } from './completion-tree.ts';
import { bashScript } from './views/completion-bash.ts';
import { fishScript } from './views/completion-fish.ts';
import { zshScript } from './views/completion-zsh.ts';

// Whether shells understand them is judged by shells: test/real/completion.test.ts.
test('commands that are hidden are not offered', () => {
  for (const script of [bashScript, zshScript, fishScript])
    expect(script(commandsOf(aProgram()))).not.toContain('hidden');
});

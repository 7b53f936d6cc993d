import { ActionFailure } from '../runner/failure.ts';
import { bashCompletions } from './completions-bash.ts';
import { fishCompletions, zshCompletions } from './completions-other.ts';
import type { Command } from './shell/command.ts';
import { EXIT } from './shell/exit-codes.ts';

const COMPLETIONS = {
  summary: 'print what makes your shell complete these commands',
  usage: '[options] bash|zsh|fish',
  explanation: 'For a file that can be run by itself: chmod +x coverage.mjs, and mv coverage.mjs ~/.local/bin/coverage',
  nameOption: 'how the program is called, "coverage" by default',
  examples: [
    ['completions bash > ~/.local/share/bash-completion/completions/coverage', 'For every new bash.'],
    ['completions zsh > ~/.zfunc/_coverage', 'For zsh, where fpath has ~/.zfunc.'],
    ['completions fish > ~/.config/fish/completions/coverage.fish', 'For fish.'],
  ],
} as const;

const SCRIPTS = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions } as const;
const SHELLS = Object.keys(SCRIPTS);

/** Prints what makes a shell complete these commands. */
export function completionsOf(listCommands: () => readonly Command[]): Command {
  return {
    name: 'completions',
    ...COMPLETIONS,
    options: [{ name: 'name', value: 'program', summary: COMPLETIONS.nameOption }],
    operands: SHELLS,
    run(given, shell) {
      const [asked = '', ...others] = given.operands;
      const write = Object.hasOwn(SCRIPTS, asked) ? SCRIPTS[asked as keyof typeof SCRIPTS] : undefined;
      if (write === undefined || others.length > 0)
        throw new ActionFailure('bad-input', `Name one shell: ${SHELLS.join(', ')}.`);
      const name = given.text('name') ?? 'coverage';
      if (!/^[\w.-]+$/.test(name))
        throw new ActionFailure('bad-input', `Option --name: expected the name of a program, got "${name}".`);
      shell.print(write(name, listCommands()));
      return Promise.resolve(EXIT.good);
    },
  };
}

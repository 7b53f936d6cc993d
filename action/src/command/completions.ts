import { badName, COMPLETIONS, shellMissing } from '../messages/command/completions.ts';
import { ActionFailure } from '../runner/failure.ts';
import { bashCompletions } from './completions-bash.ts';
import { fishCompletions, zshCompletions } from './completions-other.ts';
import type { Command } from './shell/command.ts';
import { EXIT } from './shell/exit-codes.ts';

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
      if (write === undefined || others.length > 0) throw new ActionFailure('bad-input', shellMissing(SHELLS));
      const name = given.text('name') ?? 'coverage';
      if (!/^[\w.-]+$/.test(name)) throw new ActionFailure('bad-input', badName(name));
      shell.print(write(name, listCommands()));
      return Promise.resolve(EXIT.good);
    },
  };
}

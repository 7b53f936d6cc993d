import { ActionFailure } from '../runner/failure.ts';
import { COMMANDS } from './commands.ts';
import { helpOf, overview } from './help.ts';
import { nearestWord } from './nearest.ts';
import { inOptionWords } from './option-words.ts';
import { parseArguments } from './parse-arguments.ts';
import type { Arguments, Command, Shell } from './shell/command.ts';
import { EXIT, type ExitCode } from './shell/exit-codes.ts';

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h']);
const VERSION: ReadonlySet<string> = new Set(['version', '--version', '-v', '-V']);

/** Runs what was typed behind the program's name. Throws `ActionFailure` for what a person has to mend. */
export async function runCommand(args: readonly string[], shell: Shell, commands = COMMANDS): Promise<ExitCode> {
  const [first = '', ...rest] = args;
  if (first === '') {
    shell.say(overview(commands, shell));
    return EXIT.wrongUse;
  }
  if (VERSION.has(first)) {
    shell.print(`coverage ${shell.version}\n`);
    return EXIT.good;
  }
  if (HELP.has(first)) {
    shell.print(rest[0] === undefined ? overview(commands, shell) : helpOf(commandNamed(rest[0], commands), shell));
    return EXIT.good;
  }
  const command = commandNamed(first, commands);
  const given = parseArguments(command, rest);
  if (given.isOn('help')) {
    shell.print(helpOf(command, shell));
    return EXIT.good;
  }
  return runInItsWords(command, given, shell);
}

/** Reports and servers are spoken of as the action does, whose inputs are this command's options. */
async function runInItsWords(command: Command, given: Arguments, shell: Shell): Promise<ExitCode> {
  const reword = (sentence: string): string => inOptionWords(sentence, command.options);
  try {
    return await command.run(given, { ...shell, say: (line) => shell.say(reword(line)) });
  } catch (error) {
    if (!(error instanceof ActionFailure)) throw error;
    throw new ActionFailure(error.code, reword(error.message), error);
  }
}

function commandNamed(name: string, commands: readonly Command[]): Command {
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) return command;
  const names = commands.map((one) => one.name);
  throw new ActionFailure('bad-input', unknownCommand(name, { nearest: nearestWord(name, names), names }));
}

function unknownCommand(
  name: string,
  { nearest, names }: { readonly nearest: string | undefined; readonly names: readonly string[] },
): string {
  const hint = nearest === undefined ? `The commands are ${names.join(', ')}.` : `Did you mean "${nearest}"?`;
  return `There is no command "${name}". ${hint}`;
}

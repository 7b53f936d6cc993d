import type { Texts } from '../values.ts';
// What is said of the way the command is called, and the frame of its help.

export const COMMON = {
  color: 'colours; auto: in a terminal, unless NO_COLOR is set',
  noColor: 'the same as --color=never',
  verbose: 'say every step on standard error',
  quiet: 'say nothing but failures on standard error',
  help: 'this page',
} as const;

export const HELP = {
  title: 'Coverage reports: upload them, look at them, turn one format into another.',
  usage: 'Usage:',
  commands: 'Commands:',
  options: 'Options:',
  common: 'Options of every command:',
  examples: 'Examples:',
  exitCodes: 'Exit codes:',
  more: (program: string) => `"${program} help <command>" says what a command takes.`,
  choices: (choices: readonly string[]) => `one of ${choices.join(', ')}`,
} as const;

/** By exit code. */
export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'good'],
  [1, 'the verdict or a check failed'],
  [2, 'wrong use, or a report or setting that cannot be read'],
  [3, 'the server refused'],
  [4, 'the server could not be reached'],
  [70, 'a fault of this program'],
];

export function unknownCommand(
  name: string,
  { nearest, names }: { readonly nearest: string | undefined; readonly names: readonly string[] },
): string {
  const hint = nearest === undefined ? `The commands are ${names.join(', ')}.` : `Did you mean "${nearest}"?`;
  return `There is no command "${name}". ${hint}`;
}

export function unknownOption(
  typed: string,
  { command, nearest }: Texts<'command'> & { readonly nearest: string | undefined },
): string {
  const hint = nearest === undefined ? `"${command} --help" lists them all.` : `Did you mean --${nearest}?`;
  return `"${command}" has no option ${typed}. ${hint}`;
}

export function takesNoValue(typed: string, value: string): string {
  return `Option ${typed} takes no value, got "${value}".`;
}

export function needsValue(typed: string, value: string): string {
  return `Option ${typed} needs a value: ${typed}=<${value}>.`;
}

export function notAChoice(
  typed: string,
  { value, choices }: Texts<'value'> & { readonly choices: readonly string[] },
): string {
  return `Option ${typed}: expected one of ${choices.join(', ')}, got "${value}".`;
}

export function ownFault(version: string): string {
  return `This is a fault of the program itself (version ${version}); what follows is for a bug report.`;
}

import { COMMON_OPTIONS } from './parse-arguments.ts';
import type { Command, Option, Shell } from './shell/command.ts';

const HELP = {
  title: 'Coverage reports: upload, inspect, merge and convert them.',
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
const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'good'],
  [1, 'the verdict or a check failed'],
  [2, 'wrong use, or a report or setting that cannot be read'],
  [3, 'the server refused'],
  [4, 'the server could not be reached'],
  [70, 'a fault of this program'],
];

type Program = Pick<Shell, 'program' | 'version' | 'terminal'>;

/** The width if the terminal does not say it. */
const USUAL_WIDTH = 100;

/** What the program is and which commands it has. */
export function overview(commands: readonly Command[], shell: Program): string {
  const { program, version } = shell;
  const columns = columnsIn(shell);
  return page([
    `${HELP.title} (${version})`,
    section(HELP.usage, [`${program} <command> [options]`]),
    section(HELP.commands, columns(commands.map(({ name, summary }) => [name, summary]))),
    exitCodes(columns),
    HELP.more(program),
  ]);
}

/** How one command is used. */
export function helpOf(command: Command, shell: Program): string {
  const { program } = shell;
  const columns = columnsIn(shell);
  const { name, summary, usage, explanation, options, examples } = command;
  return page([
    `${program} ${name}: ${summary}.`,
    section(HELP.usage, [`${program} ${name} ${usage}`]),
    ...(explanation === undefined ? [] : [explanation]),
    ...(options.length === 0 ? [] : [section(HELP.options, columns(options.map(described)))]),
    section(HELP.common, columns(COMMON_OPTIONS.map(described))),
    section(
      HELP.examples,
      examples.flatMap(([line, meaning]) => [`${program} ${line}`, `    ${meaning}`]),
    ),
    exitCodes(columns),
  ]);
}

function described({ name, short, value, choices, summary }: Option): readonly [string, string] {
  const shown = `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : `=<${value}>`}`;
  return [shown, choices === undefined ? summary : `${summary} (${HELP.choices(choices)})`];
}

function exitCodes(columns: Columns): string {
  return section(HELP.exitCodes, columns(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning])));
}

function page(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}

function section(heading: string, lines: readonly string[]): string {
  return [heading, ...lines.map((line) => `  ${line}`)].join('\n');
}

type Columns = (rows: readonly (readonly [string, string])[]) => string[];

/** Two columns, the second wrapped to the width of the terminal. */
function columnsIn({ terminal }: Program): Columns {
  const width = Math.max(terminal?.columns ?? USUAL_WIDTH, 60) - 2;
  return (rows) => {
    const first = Math.max(...rows.map(([text]) => text.length));
    return rows.flatMap(([text, meaning]) =>
      wrapped(meaning, width - first - 2).map((line, at) => `${(at === 0 ? text : '').padEnd(first)}  ${line}`),
    );
  };
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) as string;
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

import { EXIT_MEANINGS, HELP } from '../messages/command/usage.ts';
import type { Command, Option, Shell } from './command.ts';
import { COMMON_OPTIONS } from './parse-arguments.ts';

type Program = Pick<Shell, 'program' | 'version'>;

/** What the program is and which commands it has. */
export function overview(commands: readonly Command[], { program, version }: Program): string {
  return page([
    `${HELP.title} (${version})`,
    section(HELP.usage, [`${program} <command> [options]`]),
    section(HELP.commands, columns(commands.map(({ name, summary }) => [name, summary]))),
    exitCodes(),
    HELP.more(program),
  ]);
}

/** How one command is used. */
export function helpOf(command: Command, { program }: Program): string {
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
    exitCodes(),
  ]);
}

function described({ name, short, value, choices, summary }: Option): readonly [string, string] {
  const shown = `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : `=<${value}>`}`;
  return [shown, choices === undefined ? summary : `${summary} (${HELP.choices(choices)})`];
}

function exitCodes(): string {
  return section(HELP.exitCodes, columns(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning])));
}

function page(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}

function section(heading: string, lines: readonly string[]): string {
  return [heading, ...lines.map((line) => `  ${line}`)].join('\n');
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${first.padEnd(width)}  ${second}`);
}

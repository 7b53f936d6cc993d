import { COMMON_OPTIONS } from './parse-arguments.ts';
import type { Command, Option } from './shell/command.ts';

/** A function of zsh's own kind, with what each command and option is for. */
export function zshCompletions(name: string, commands: readonly Command[]): string {
  const described = commands.map((command) => `    ${quoted(`${command.name}:${command.summary}`)}`);
  const entries = commands.map(({ name: command, options, operands }) => {
    const last = operands === undefined ? '*:file:_files' : `1:word:(${operands.join(' ')})`;
    const specs = [...options, ...COMMON_OPTIONS].map((option) => quoted(zshOption(option)));
    return `    ${command}) _arguments ${[...specs, quoted(last)].join(' ')} ;;`;
  });
  const call = `_${name.replace(/\W/g, '_')}`;
  return `#compdef ${name}
${call}() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${entries.join('\n')}
    help) _describe command commands ;;
  esac
}
compdef ${call} ${name}
`;
}

/** One line for each command and option. */
export function fishCompletions(name: string, commands: readonly Command[]): string {
  const program = `complete -c ${name}`;
  const lines = commands.flatMap(({ name: command, summary, options, operands }) => {
    const here = `${program} -n '__fish_seen_subcommand_from ${command}'`;
    return [
      `${program} -f -n __fish_use_subcommand -a ${command} -d ${fishQuoted(summary)}`,
      ...(operands === undefined ? [`${here} -F`] : [`${here} -f -a ${fishQuoted(operands.join(' '))}`]),
      ...[...options, ...COMMON_OPTIONS].map((option) => `${here} ${fishOption(option)}`),
    ];
  });
  return `# fish completion of ${name}\n${lines.join('\n')}\n`;
}

function zshOption({ name, value, choices, multiple, summary }: Option): string {
  const text = summary.replace(/[[\]:\\]/g, '\\$&');
  const times = multiple === true ? '*' : '';
  if (value === undefined) return `${times}--${name}[${text}]`;
  const offered = choices === undefined ? '_files' : `(${choices.join(' ')})`;
  return `${times}--${name}=[${text}]:${value.replace(/[:\\]/g, '\\$&')}:${offered}`;
}

function fishOption({ name, short, value, choices, summary }: Option): string {
  const letter = short === undefined ? '' : ` -s ${short}`;
  const offered = choices === undefined ? '' : ` -x -a ${fishQuoted(choices.join(' '))}`;
  const taken = value === undefined ? '' : offered || ' -r';
  return `-l ${name}${letter}${taken} -d ${fishQuoted(summary)}`;
}

/** For zsh, as for every shell of Bourne's kind. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

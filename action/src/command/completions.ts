import { ActionFailure } from '../runner/failure.ts';
import { COMMON_OPTIONS } from './parse-arguments.ts';
import { type Command, EXIT, type Option } from './shell/command.ts';

const COMPLETIONS = {
  summary: 'print the completion script for your shell',
  usage: '[options] bash|zsh|fish',
  explanation: 'For a file that can be run by itself: chmod +x coverage.mjs, and mv coverage.mjs ~/.local/bin/coverage',
  nameOption: 'how the program is called, "coverage" by default',
  examples: [
    ['completions bash > ~/.local/share/bash-completion/completions/coverage', 'For every new bash session.'],
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

/** A function that bash asks. It splits words at "=", so that a value is a word of its own there. */
function bashCompletions(name: string, commands: readonly Command[]): string {
  const call = `_${name.replace(/\W/g, '_')}_completions`;
  return `# bash completion of ${name}
${call}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" option="" options="" operands=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...commands.map((command) => command.name), 'help'].join(' ')}" -- "$word"))
    return
  fi
  if [ "$word" = "=" ]; then
    word=""
    option="$previous"
  elif [ "$previous" = "=" ]; then
    option="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "\${COMP_WORDS[1]} $option" in
${commands.flatMap(choicesOf).join('\n')}
    *" -"*)
      COMPREPLY=($(compgen -f -- "$word"))
      return
      ;;
  esac
  case "\${COMP_WORDS[1]}" in
${[...commands.map(entryOf), helpEntry(commands)].join('\n')}
  esac
  case "$word" in
    -*)
      COMPREPLY=($(compgen -W "$options" -- "$word"))
      case "\${COMPREPLY[0]}" in *=) compopt -o nospace 2>/dev/null ;; esac
      ;;
    *)
      if [ -n "$operands" ]; then
        COMPREPLY=($(compgen -W "$operands" -- "$word"))
      else
        COMPREPLY=($(compgen -f -- "$word"))
      fi
      ;;
  esac
}
complete -o filenames -F ${call} ${name}
`;
}

function choicesOf({ name, options }: Command): string[] {
  return [...options, ...COMMON_OPTIONS].flatMap((option) =>
    option.choices === undefined
      ? []
      : [
          `    "${name} --${option.name}")`,
          `      COMPREPLY=($(compgen -W "${option.choices.join(' ')}" -- "$word"))`,
          '      return',
          '      ;;',
        ],
  );
}

function entryOf({ name, options, operands = [] }: Command): string {
  const words = [...options, ...COMMON_OPTIONS].map(optionWord).join(' ');
  return `    ${name}) options="${words}" operands="${operands.join(' ')}" ;;`;
}

function helpEntry(commands: readonly Command[]): string {
  return `    help) operands="${commands.map(({ name }) => name).join(' ')}" ;;`;
}

function optionWord({ name, value }: Option): string {
  return `--${name}${value === undefined ? '' : '='}`;
}

/** A function of zsh's own kind, with what each command and option is for. */
function zshCompletions(name: string, commands: readonly Command[]): string {
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
function fishCompletions(name: string, commands: readonly Command[]): string {
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

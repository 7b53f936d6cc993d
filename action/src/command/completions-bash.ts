import { COMMON_OPTIONS } from './parse-arguments.ts';
import type { Command, Option } from './shell/command.ts';

/** A function that bash asks. It splits words at "=", so that a value is a word of its own there. */
export function bashCompletions(name: string, commands: readonly Command[]): string {
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

import { parseArgs } from 'node:util';
import { nearestWord } from '@coverage/shared/nearest-word';
import { ActionFailure } from '../runner/failure.ts';
import type { Texts } from '../runner/words.ts';
import type { Arguments, Command, Option } from './shell/command.ts';

/** Every command takes these. */
export const COMMON_OPTIONS: readonly Option[] = [
  {
    name: 'color',
    value: 'when',
    choices: ['auto', 'always', 'never'],
    summary: 'colors; auto: in a terminal, unless NO_COLOR is set',
  },
  { name: 'no-color', summary: 'the same as --color=never' },
  { name: 'verbose', aliases: ['debug'], summary: 'report every step on standard error' },
  { name: 'quiet', short: 'q', summary: 'report only failures on standard error' },
  { name: 'help', short: 'h', summary: 'this page' },
];

/** For the official client, which shows a logo and measures itself: taken and without effect here. */
const WITHOUT_EFFECT: readonly Option[] = [
  { name: 'no-logo', short: 'n', summary: '' },
  { name: 'measure', short: 'm', summary: '' },
];

type Token = NonNullable<ReturnType<typeof parseTokens>>[number];

/** Reads what comes after a command's name. Throws `bad-input`, which names the nearest option that there is. */
export function parseArguments(command: Pick<Command, 'name' | 'options'>, args: readonly string[]): Arguments {
  const shown = [...command.options, ...COMMON_OPTIONS];
  const known = [...shown, ...WITHOUT_EFFECT.filter(({ name }) => !shown.some((option) => option.name === name))];
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  for (const token of parseTokens(args, known)) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const option = optionOf(token, { command: command.name, known, shown });
    const value = givenValue(token, option);
    values.set(option.name, option.multiple ? [...(values.get(option.name) ?? []), value] : [value]);
  }
  return {
    operands,
    isOn: (name) => values.has(name),
    text: (name) => values.get(name)?.at(-1),
    texts: (name) => values.get(name) ?? [],
  };
}

function parseTokens(args: readonly string[], known: readonly Option[]) {
  const options = Object.fromEntries(
    known.flatMap((option) => {
      const type = option.value === undefined ? ('boolean' as const) : ('string' as const);
      const aliases = (option.aliases ?? []).map((name) => [name, { type }] as const);
      return [[option.name, { type, ...(option.short ? { short: option.short } : {}) }] as const, ...aliases];
    }),
  );
  return parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true }).tokens;
}

interface Known {
  readonly command: string;
  readonly known: readonly Option[];
  readonly shown: readonly Option[];
}

function optionOf({ name, rawName }: Token & { kind: 'option' }, { command, known, shown }: Known): Option {
  const option = known.find((one) => one.name === name || one.aliases?.includes(name));
  if (option !== undefined) return option;
  const names = shown.flatMap((one) => [one.name, ...(one.aliases ?? [])]);
  const nearest = nearestWord(name, names);
  throw new ActionFailure('bad-input', unknownOption(rawName, { command, nearest }));
}

function givenValue({ rawName, value }: Token & { kind: 'option' }, option: Option): string {
  if (option.value === undefined) {
    if (value !== undefined) throw new ActionFailure('bad-input', `Option ${rawName} takes no value, got "${value}".`);
    return '';
  }
  if (value === undefined)
    throw new ActionFailure('bad-input', `Option ${rawName} needs a value: ${rawName}=<${option.value}>.`);
  if (option.choices === undefined || option.choices.includes(value)) return value;
  throw new ActionFailure(
    'bad-input',
    `Option ${rawName}: expected one of ${option.choices.join(', ')}, got "${value}".`,
  );
}

function unknownOption(
  typed: string,
  { command, nearest }: Texts<'command'> & { readonly nearest: string | undefined },
): string {
  const hint = nearest === undefined ? `"${command} --help" lists them all.` : `Did you mean --${nearest}?`;
  return `"${command}" has no option ${typed}. ${hint}`;
}

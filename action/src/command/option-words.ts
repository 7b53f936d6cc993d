import type { Option } from './shell/command.ts';

/**
 * A sentence about inputs of the action in the words of a command: the names of inputs are names of its options, or
 * other names of them. What somebody typed (`got "x"`) stays as it is.
 */
export function inOptionWords(sentence: string, options: readonly Option[]): string {
  const byName = new Map(options.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((one) => [one, name])));
  const optionOf = (found: string, name: string): string => (byName.has(name) ? `--${byName.get(name)}` : found);
  return sentence
    .replace(/\bInputs ([a-z-]+) (and|or) ([a-z-]+)/g, (found, first: string, word: string, second: string) =>
      byName.has(first) && byName.has(second) ? `${optionOf(found, first)} ${word} ${optionOf(found, second)}` : found,
    )
    .replace(/\bInput ([a-z-]+):/g, (found, name: string) => (byName.has(name) ? `${optionOf(found, name)}:` : found))
    .replace(/(?<!got )(?:the input )?"([a-z-]+)"/g, optionOf)
    .replace(/(--[a-z-]+) or \1(?![a-z-])/g, '$1');
}

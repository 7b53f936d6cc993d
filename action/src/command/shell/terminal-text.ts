import type { Arguments, Shell } from './command.ts';

/** Colors of a terminal, or none. */
export interface Paint {
  good(text: string): string;
  middling(text: string): string;
  bad(text: string): string;
  faint(text: string): string;
  bold(text: string): string;
}

const plain = (text: string): string => text;
const colored =
  (start: number, end: number) =>
  (text: string): string =>
    `\u001b[${start}m${text}\u001b[${end}m`;

const NO_PAINT: Paint = { good: plain, middling: plain, bad: plain, faint: plain, bold: plain };
const PAINT: Paint = {
  good: colored(32, 39),
  middling: colored(33, 39),
  bad: colored(31, 39),
  faint: colored(2, 22),
  bold: colored(1, 22),
};

/** What was asked for on the command line goes first, then NO_COLOR and FORCE_COLOR, then whether it is a terminal. */
export function choosePaint(given: Arguments, { env, terminal }: Pick<Shell, 'env' | 'terminal'>): Paint {
  const when = given.isOn('no-color') ? 'never' : (given.text('color') ?? 'auto');
  if (when !== 'auto') return when === 'always' ? PAINT : NO_PAINT;
  // https://no-color.org: set and not empty, whatever its value.
  if (env.NO_COLOR) return NO_PAINT;
  if (env.FORCE_COLOR) return env.FORCE_COLOR === '0' ? NO_PAINT : PAINT;
  return terminal === undefined || env.TERM === 'dumb' ? NO_PAINT : PAINT;
}

// Control characters, and those that turn the direction of a text: a name could move the cursor or look like another.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
  /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])/g;

/** Hostile text for a terminal: what it would act on is written out, as `\x1b`. */
export function safeText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0);
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

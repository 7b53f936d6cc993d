import { readFileSync } from 'node:fs';
import { readConfig } from '../../../server/src/config/config.ts';
import { CONFIG_VARIABLES } from '../../../server/src/config/variables.ts';

/** One row of docs/limits.md. */
export interface DocumentedLimit {
  readonly what: string;
  /** As the page writes it, from the setting's default or the constant. */
  readonly number: () => string;
  /** The sentence that is answered, with any values; empty where none is. */
  readonly says: string;
  /** The test that gets this very answer. */
  readonly triedBy?: string;
}

const SERVER = new URL('../../../server/src/', import.meta.url);

/** A number of a source file, by the name of its constant: most are nobody else's business, so not exported. */
export function constant(file: string, name: string): number {
  const [, written = ''] =
    new RegExp(`\\b${name}\\b(?:: number)? ?[=:] ([\\d_ */]+(?:\\*\\* ?\\d+)?)`).exec(
      readFileSync(new URL(file, SERVER), 'utf8'),
    ) ?? [];
  const value = written
    .replaceAll('_', '')
    .split(/ \* /)
    .map((factor) => factor.split('**').map(Number))
    .reduce((product, [base = Number.NaN, power = 1]) => product * base ** power, 1);
  if (Number.isNaN(value) || written.trim() === '') throw new Error(`${file} has no number ${name}`);
  return value;
}

export const count = (file: string, name: string) => () => constant(file, name).toLocaleString('en');
export const unit = (size: number, text: string) => (file: string, name: string) => (): string =>
  `${constant(file, name) / size} ${text}`;
export const kibibytes = unit(2 ** 10, 'KiB');
export const mebibytes = unit(2 ** 20, 'MiB');
export const seconds = unit(1_000, 's');
export const each =
  (...numbers: readonly (() => string)[]) =>
  () =>
    numbers.map((one) => one()).join(', ');
export const byDefault =
  (...names: readonly (typeof CONFIG_VARIABLES)[number]['name'][]) =>
  (): string =>
    names.map((one) => CONFIG_VARIABLES.find(({ name }) => name === one)?.default).join(', ');
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const DEFAULTS = readConfig({}, String);

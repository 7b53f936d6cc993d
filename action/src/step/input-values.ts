import { ActionFailure } from '../runner/failure.ts';

/** The text of each input; empty if it is not given. */
export interface InputTexts {
  input(name: string): string;
}

const ON: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on']);
const OFF: ReadonlySet<string> = new Set(['', 'false', '0', 'no', 'off']);

export function isOff(text: string): boolean {
  return OFF.has(text.toLowerCase());
}

export function readSwitch({ input }: InputTexts, name: string, unset = ''): boolean {
  const text = (input(name) || unset).toLowerCase();
  if (ON.has(text)) return true;
  if (OFF.has(text)) return false;
  throw badInput(`Input ${name}: expected true or false, got "${input(name)}".`);
}

/** For an input about failures: what is neither on nor off counts as on, so that the failure about it is seen. */
export function readFailureSwitch({ input }: InputTexts, name: string, unset: boolean): boolean {
  return input(name) === '' ? unset : !isOff(input(name));
}

/** Whole seconds, in milliseconds. */
export function readSeconds({ input }: InputTexts, name: string, limits: { unset: number; max: number }): number {
  const text = input(name) || String(limits.unset);
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= limits.max) return seconds * 1000;
  throw badInput(`Input ${name}: expected whole seconds from 1 to ${limits.max}, got "${text}".`);
}

/** Separated by blanks, or one a line. */
export function readPatterns({ input }: InputTexts, name: string): string[] {
  return listed(input(name), input(name).includes('\n') ? /\r?\n/ : /\s+/);
}

export function listed(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function badInput(message: string): ActionFailure {
  return new ActionFailure('bad-input', message);
}

import { counted } from '../../core/sentences.ts';
import { Refusal } from './repos-api.ts';

/** Where the lines of a command go. */
export interface Output {
  /** What was asked for. */
  readonly print: (line: string) => void;
  /** For people. */
  readonly note: (line: string) => void;
}

export function summary(all: readonly string[]): string {
  const counts = Object.entries(Object.groupBy(all, (one) => one)).map(([what, same]) => `${same?.length} ${what}`);
  return `${counted(all.length, 'repo')}: ${counts.join(', ')}`;
}

/** Whatever else went wrong concerns every repo. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  return error.message;
}

import { createInterface } from 'node:readline/promises';
import { Failure } from '../../core/failure.ts';

const YES_OR_NO = '[y/N]';

/** Asks at a terminal; if there is none, throws a Failure that names the option which stands for yes. */
export async function confirm(question: string, option: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Failure(
      'conflict',
      `${question} Nothing was changed: confirm with ${option}, or run this at a terminal.`,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} ${YES_OR_NO} `)).trim());
  } finally {
    terminal.close();
  }
}

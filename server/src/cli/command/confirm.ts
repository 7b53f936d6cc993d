import { createInterface } from 'node:readline/promises';
import { Failure } from '../../core/failure.ts';
import * as say from '../../messages/commands.ts';

/** Asks at a terminal; where there is none, throws a Failure that names the option which stands for yes. */
export async function confirm(question: string, option: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Failure('conflict', say.confirmBy(question, option));
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} ${say.YES_OR_NO} `)).trim());
  } finally {
    terminal.close();
  }
}

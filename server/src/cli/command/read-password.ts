import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Failure } from '../../core/failure.ts';

/** A password: typed twice and not shown, or the first line of standard input where that is no terminal. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readLine();
  const first = await ask('Password: ');
  if (first === (await ask('The same password again: '))) return first;
  throw new Failure('payload-invalid', 'The two passwords do not match. Nothing was changed.');
}

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new Failure('payload-invalid', 'Standard input has no password.');
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

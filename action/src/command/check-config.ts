import { readFileSync, statSync } from 'node:fs';
import { FILE_PLACES, MAX_FILE_BYTES, readCoverageFile } from '@coverage/shared/coverage-file';
import { ActionFailure } from '../runner/failure.ts';
import { typedPath } from './local-reports.ts';
import { type Arguments, type Command, EXIT, type Shell } from './shell/command.ts';
import { choosePaint, safeText } from './shell/terminal-text.ts';

/** Checks a repo's own file before the push, without a server. */
export const checkConfig: Command = {
  name: 'check-config',
  summary: 'check coverage.yml before the push',
  usage: '[options] [file]',
  explanation:
    `Reads ${FILE_PLACES.join(' or ')} in this folder, or the file that you name, and lists each\n` +
    'problem with its line and column. Nothing is sent. Exits with 0 if the file is valid, and with 1 if it is not.',
  examples: [
    ['check-config', 'Check the file of this repo.'],
    ['check-config --json new.yml', 'Check another file, with JSON output.'],
  ],
  options: [{ name: 'json', summary: 'everything as JSON' }],
  async run(given, shell) {
    const path = choosePath(given, shell);
    const read = readCoverageFile(readBytes(path, shell));
    const problems = 'problems' in read ? read.problems : [];
    if (given.isOn('json'))
      shell.print(`${JSON.stringify({ path, valid: problems.length === 0, problems }, undefined, 2)}\n`);
    else {
      const paint = choosePaint(given, shell);
      for (const { line, column, message } of problems)
        shell.print(`${safeText(`${path}:${line}:${column}: ${message}`)}\n`);
      shell.print(
        problems.length === 0
          ? `${paint.good('Valid')}: ${safeText(path)}\n`
          : `${paint.bad('Not valid')}: ${safeText(path)} is not used until this is fixed.\n`,
      );
    }
    return problems.length === 0 ? EXIT.good : EXIT.failed;
  },
};

function choosePath({ operands }: Arguments, shell: Shell): string {
  if (operands.length > 1)
    throw new ActionFailure('bad-input', `check-config takes one file, got ${operands.length}. Check them one by one.`);
  const [named] = operands;
  if (named !== undefined) return named;
  const [first, second] = FILE_PLACES.filter((path) =>
    statSync(typedPath(path, shell), { throwIfNoEntry: false })?.isFile(),
  );
  if (first === undefined)
    throw new ActionFailure('bad-input', `There is no ${FILE_PLACES.join(' and no ')} here. Name the file to check.`);
  if (second !== undefined) shell.say(`${second} is not read, because ${first} is there. Keep one of them.`);
  return first;
}

function readBytes(path: string, shell: Shell): Uint8Array {
  const file = typedPath(path, shell);
  try {
    // For a larger one, only its size is reported.
    const { size } = statSync(file);
    return size > MAX_FILE_BYTES ? new Uint8Array(size) : readFileSync(file);
  } catch (cause) {
    throw new ActionFailure('bad-input', `There is no file ${path} that can be read.`, { cause });
  }
}

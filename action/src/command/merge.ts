import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { ActionFailure } from '../runner/failure.ts';
import { coberturaWriter, coverallsWriter, lcovWriter, type ReportWriter } from '../writing/writers.ts';
import { logOf, READING_OPTIONS, readLocalReports, readReportsByName, typedPath } from './local-reports.ts';
import { type Arguments, type Command, EXIT, type ExitCode, type Option, type Shell } from './shell/command.ts';

const WHOSE_NAMES =
  'In a git checkout, the result uses the names of the files in the repo and leaves out other files, as "report"\n' +
  'does. With --keep-names, or outside a checkout, it keeps the names of the reports.';

const WRITERS: readonly ReportWriter[] = [lcovWriter, coberturaWriter, coverallsWriter];
/** Characters that are written at once. */
const AT_ONCE = 1 << 18;
const WRITER_NAMES = WRITERS.map(({ name }) => name);

const OPTIONS: readonly Option[] = [
  { name: 'output', short: 'o', value: 'file', summary: 'the file to write; without one, standard output' },
  {
    name: 'to',
    value: 'format',
    choices: WRITER_NAMES,
    summary: 'the format to write; the default is the extension of the output, else lcov',
  },
  { name: 'keep-names', summary: 'keep the names of the reports' },
  ...READING_OPTIONS,
];

/** Joins reports of any format into one. */
export const merge: Command = {
  name: 'merge',
  summary: 'join reports of any format into one',
  usage: '[options] [report...]',
  explanation:
    `The hits of a line are added up, and so are those of a branch that all reports call the same. ${WHOSE_NAMES}\n` +
    'Cobertura does not say which branch was taken, so one branch in such reports may be counted as two.',
  examples: [
    ['merge -o merged.info unit/lcov.info e2e/cobertura.xml', 'Two reports as one LCOV file.'],
    ['merge --to=cobertura > merged.xml', 'All reports below this folder as Cobertura XML.'],
    ['merge --to=coveralls "legs/*/lcov.info"', 'Reports of several jobs as the JSON that servers accept.'],
  ],
  options: OPTIONS,
  run: writeMerged,
};

/** Turns one report into another format. */
export const convert: Command = {
  name: 'convert',
  summary: 'convert a report to another format',
  usage: '[options] <report>',
  explanation: WHOSE_NAMES,
  examples: [
    ['convert jacoco.xml -o lcov.info', 'JaCoCo as LCOV, chosen by the extension of the output.'],
    ['convert --to=cobertura cover.out > cobertura.xml', 'A Go cover profile as Cobertura XML.'],
  ],
  options: OPTIONS,
  run(given, shell) {
    if (given.operands.length + given.texts('file').length !== 1)
      throw new ActionFailure(
        'bad-input',
        'convert takes one report: name it behind the command. "merge" takes several.',
      );
    return writeMerged(given, shell);
  },
};

async function writeMerged(given: Arguments, shell: Shell): Promise<ExitCode> {
  const output = given.text('output');
  const writer = chooseWriter(given.text('to'), output);
  const files = given.isOn('keep-names')
    ? readReportsByName(given, shell)
    : (await readLocalReports(given, shell)).files;
  const { warning: warn } = logOf(given, shell);
  const pieces = writer.write(files, { now: shell.runtime.now(), warn });
  if (output === undefined || output === '-') await shell.printAll(pieces);
  else {
    writeWhole(typedPath(output, shell), pieces);
    if (!given.isOn('quiet')) shell.say(written(output, files.length));
  }
  return EXIT.good;
}

function chooseWriter(asked: string | undefined, output: string | undefined): ReportWriter {
  if (asked !== undefined) return WRITERS.find(({ name }) => name === asked) as ReportWriter;
  if (output === undefined || output === '-') return lcovWriter;
  const writer = WRITERS.find(({ endings }) => endings.some((ending) => output.toLowerCase().endsWith(ending)));
  if (writer === undefined)
    throw new ActionFailure(
      'bad-input',
      `The extension of ${output} does not tell which format to write: set --to to one of ${WRITER_NAMES.join(', ')}.`,
    );
  return writer;
}

/** A report that is cut off would be read as less coverage: it is there whole, or not at all. */
function writeWhole(path: string, pieces: Iterable<string>): void {
  const unfinished = `${path}.part`;
  try {
    writePieces(unfinished, pieces);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (error instanceof ActionFailure) throw error;
    throw new ActionFailure('bad-input', notWritable(path, error instanceof Error ? error.message : String(error)));
  }
}

/** At once: nothing else waits in the meantime, and Node's streams need not be loaded. */
function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, 'w');
  try {
    let text = '';
    for (const piece of pieces) {
      text += piece;
      if (text.length < AT_ONCE) continue;
      writeText(file, text);
      text = '';
    }
    writeText(file, text);
  } finally {
    closeSync(file);
  }
}

function writeText(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function written(path: string, files: number): string {
  return `${path}: ${files} ${files === 1 ? 'file' : 'files'}`;
}

function notWritable(path: string, why: string): string {
  return `${path} cannot be written: ${why}.`;
}

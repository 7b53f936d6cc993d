// What the commands "merge" and "convert" say of themselves and of what they write.

const NAMES =
  'In a git checkout the names in the result are those of the repo, and files of elsewhere are left out, as in\n' +
  '"report". With --keep-names, and outside of a checkout, they are those of the reports.';

export const MERGE = {
  summary: 'join reports of any format into one',
  usage: '[options] [report...]',
  explanation:
    `Hits of a line are added, and so are those of a branch that the reports call the same. ${NAMES}\n` +
    'Cobertura does not say which branch was taken, so that reports in it may count one branch for two.',
  examples: [
    ['merge -o merged.info unit/lcov.info e2e/cobertura.xml', 'Two reports as one LCOV file.'],
    ['merge --to=cobertura > merged.xml', 'All reports below this folder as Cobertura XML.'],
    ['merge --to=coveralls "legs/*/lcov.info"', 'Reports of several jobs as the JSON that servers take.'],
  ],
} as const;

export const CONVERT = {
  summary: 'turn one report into another format',
  usage: '[options] <report>',
  explanation: NAMES,
  examples: [
    ['convert jacoco.xml -o lcov.info', 'JaCoCo as LCOV, by the ending of the output.'],
    ['convert --to=cobertura cover.out > cobertura.xml', 'A Go cover profile as Cobertura XML.'],
  ],
} as const;

export const WRITING_OPTIONS = {
  output: 'the file to write; without one, standard output',
  to: 'the format to write; without one, as the output ends, else lcov',
  keepNames: 'leave the names as the reports write them',
} as const;

export const ONE_REPORT = 'convert takes one report: name it behind the command. "merge" takes several.';

export function notInLcov(name: string): string {
  return `A name with a line break cannot be written in LCOV: ${JSON.stringify(name)}. Write cobertura or coveralls.`;
}

export function branchesWithoutLine(name: string): string {
  return `${name} has branches and no line with hits: Cobertura holds no such branches, and they are left out.`;
}

export function written(path: string, files: number): string {
  return `${path}: ${files} ${files === 1 ? 'file' : 'files'}`;
}

export function notWritable(path: string, why: string): string {
  return `${path} cannot be written: ${why}.`;
}

/** An empty text: neither an option nor an ending that is known. */
export function endingUnknown(path: string, known: string): string {
  return `The ending of ${path} says no format to write: give --to, one of ${known}.`;
}

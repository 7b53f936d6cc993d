// What the command "show" says of itself and of its result.

export const SHOW = {
  summary: 'show the coverage of local reports',
  usage: '[options] [report...]',
  explanation:
    'Reads the reports below this folder (or those that are named) and shows what they say of the files that git\n' +
    'tracks. Nothing is sent anywhere.',
  options: {
    tree: 'folders with their totals, as a tree',
    uncovered: 'lines that no test reached, with their text',
    json: 'everything as JSON',
    sort: 'the order of the table',
  },
  examples: [
    ['show', 'A table of all files.'],
    ['show --tree coverage/lcov.info', 'Folders and files of one report, as a tree.'],
    ['show --uncovered --include="src/**"', 'The lines of src that still need a test.'],
    ['show --json | jq .totals', 'The totals for a program.'],
  ],
} as const;

export const TABLE = {
  file: 'File',
  lines: 'Lines',
  branches: 'Branches',
  percent: 'Coverage',
  total: 'Total',
  none: '—',
} as const;

export const NOTHING_UNCOVERED = 'Every relevant line is covered.';

export const TEXT_UNKNOWN = 'the text of this file is not here';

export const ONE_VIEW = 'Give one of --tree, --uncovered and --json.';

export function partlyTaken(covered: number, all: number): string {
  return `${covered} of ${all} branches taken`;
}

import type { FileHits } from '../formats/file-hits.ts';
import { ActionFailure } from '../runner/failure.ts';
import { type LocalReports, READING_OPTIONS, readLocalReports } from './local-reports.ts';
import { type Command, EXIT } from './shell/command.ts';
import { choosePaint, type Paint, safeText } from './shell/terminal-text.ts';
import { linesOfCheckout, uncoveredOf, uncoveredText } from './show-lines.ts';
import { type CoverageRow, fileRow, fileTable, rowTable, sumRows, TABLE, type TableOrder } from './show-table.ts';

const SHOW = {
  summary: 'show the coverage of local reports',
  usage: '[options] [report...]',
  explanation:
    'Reads the reports in this folder (or those that you name) and shows what they say about the files that git\n' +
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
    ['show --json | jq .totals', 'The totals, for a program.'],
  ],
} as const;

const ORDERS: readonly TableOrder[] = ['name', 'coverage', 'missed'];
const VIEWS = ['tree', 'uncovered', 'json'] as const;

/** Shows what local reports say, in the terminal or as JSON. */
export const show: Command = {
  name: 'show',
  summary: SHOW.summary,
  usage: SHOW.usage,
  explanation: SHOW.explanation,
  examples: SHOW.examples,
  options: [
    ...VIEWS.map((name) => ({ name, summary: SHOW.options[name] })),
    { name: 'sort', value: 'order', choices: ORDERS, summary: SHOW.options.sort },
    ...READING_OPTIONS,
  ],
  async run(given, shell) {
    const asked = VIEWS.filter((view) => given.isOn(view));
    if (asked.length > 1) throw new ActionFailure('bad-input', 'Give one of --tree, --uncovered and --json.');
    const local = await readLocalReports(given, shell);
    const paint = choosePaint(given, shell);
    const [view] = asked;
    const order = (given.text('sort') ?? 'name') as TableOrder;
    if (view === 'json') await shell.printAll(jsonOf(local));
    else if (view === 'tree') shell.print(fileTree(local.files, paint));
    else if (view === 'uncovered')
      await shell.printAll(uncoveredText(local.files, linesOfCheckout(local.checkout), paint));
    else shell.print(fileTable(local.files, order, paint));
    return EXIT.good;
  },
};

/** A file at a time: a large repo has many lines. */
function* jsonOf({ files, reports }: LocalReports): Generator<string> {
  const { lines, branches } = sumRows(
    '',
    files.map((file) => ({ name: '', lines: file.countLines(), branches: file.countBranches() })),
  );
  const read = reports.map(({ path, format }) => ({ path, format: format.name }));
  yield `{"totals":${JSON.stringify({ lines, branches })},"reports":${JSON.stringify(read)},"files":[`;
  let separator = '\n';
  for (const file of files) {
    yield separator + JSON.stringify(fileJson(file));
    separator = ',\n';
  }
  yield '\n]}\n';
}

function fileJson(file: FileHits) {
  const { lines, partial } = uncoveredOf(file);
  return {
    name: file.name,
    lines: file.countLines(),
    branches: file.countBranches(),
    uncovered_lines: lines,
    partial_lines: partial,
  };
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: { readonly name: string; readonly file: FileHits }[];
}

/** Folders with their totals, files below them. A folder that holds one folder alone stands on its line. */
function fileTree(files: readonly FileHits[], paint: Paint): string {
  const root = emptyFolder();
  for (const file of files) put(root, file);
  return rowTable(rowsOf(root, ''), sumRows(TABLE.total, files.map(fileRow)), paint);
}

function put(root: Folder, file: FileHits): void {
  const parts = file.name.split('/');
  const name = parts.pop() ?? '';
  let at = root;
  for (const part of parts) {
    const next = at.folders.get(part) ?? emptyFolder();
    at.folders.set(part, next);
    at = next;
  }
  at.files.push({ name, file });
}

function rowsOf(folder: Folder, indent: string): CoverageRow[] {
  const folders = [...folder.folders].sort(([a], [b]) => (a < b ? -1 : 1));
  const count = folders.length + folder.files.length;
  const stem = (index: number): readonly [own: string, below: string] =>
    index === count - 1 ? [`${indent}└─ `, `${indent}   `] : [`${indent}├─ `, `${indent}│  `];
  const below = folders.flatMap(([name, child], index) => {
    const [own, next] = stem(index);
    const [path, last] = onlyFolder(name, child);
    return [sumRows(`${own}${safeText(path)}/`, allRows(last)), ...rowsOf(last, next)];
  });
  const own = folder.files.map(({ name, file }, index) => ({
    ...fileRow(file),
    name: stem(folders.length + index)[0] + safeText(name),
  }));
  return [...below, ...own];
}

function onlyFolder(name: string, folder: Folder): readonly [path: string, folder: Folder] {
  const [only, ...others] = folder.folders;
  if (only === undefined || others.length > 0 || folder.files.length > 0) return [name, folder];
  const [path, last] = onlyFolder(only[0], only[1]);
  return [`${name}/${path}`, last];
}

function allRows(folder: Folder): CoverageRow[] {
  return [...folder.files.map(({ file }) => fileRow(file)), ...[...folder.folders.values()].flatMap(allRows)];
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: [] };
}

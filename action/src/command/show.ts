import type { Counts } from '../formats/file-hits.ts';
import { SHOW } from '../messages/command/show.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { type LocalReports, READING_OPTIONS, readLocalReports } from './local-reports.ts';
import { fileTable } from './show-table.ts';
import { choosePaint } from './terminal-text.ts';

/** Shows what local reports say, in the terminal or as JSON. */
export const show: Command = {
  name: 'show',
  summary: SHOW.summary,
  usage: SHOW.usage,
  explanation: SHOW.explanation,
  examples: SHOW.examples,
  options: [{ name: 'json', summary: SHOW.options.json }, ...READING_OPTIONS],
  async run(given, shell) {
    const local = await readLocalReports(given, shell);
    if (given.isOn('json')) shell.print(`${JSON.stringify(toJson(local), undefined, 2)}\n`);
    else shell.print(fileTable(local.files, choosePaint(given, shell)));
    return EXIT.good;
  },
};

function toJson({ files, reports }: LocalReports) {
  const counted = files.map((file) => ({ name: file.name, lines: file.countLines(), branches: file.countBranches() }));
  return {
    totals: { lines: sumOf(counted.map((one) => one.lines)), branches: sumOf(counted.map((one) => one.branches)) },
    files: counted,
    reports: reports.map(({ path, format }) => ({ path, format: format.name })),
  };
}

function sumOf(counts: readonly Counts[]): Counts {
  return counts.reduce((sum, one) => ({ covered: sum.covered + one.covered, all: sum.all + one.all }), {
    covered: 0,
    all: 0,
  });
}

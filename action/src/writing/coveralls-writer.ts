import type { ReportWriter } from './report-writer.ts';

/** The JSON that clients send to Coveralls, and that our server takes: its files alone. */
export const coverallsWriter: ReportWriter = {
  name: 'coveralls',
  endings: ['.json'],
  *write(files) {
    let separator = '{"source_files":[\n';
    for (const file of files) {
      const branches = file.branches();
      const entry = { name: file.name, coverage: file.coverage(), ...(branches.length === 0 ? {} : { branches }) };
      yield separator + JSON.stringify(entry);
      separator = ',\n';
    }
    yield files.length === 0 ? `${separator}]}\n` : '\n]}\n';
  },
};

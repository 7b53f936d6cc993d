// All that the action does with a report but send it: node upload.mjs FORMAT PATH CHECKOUT. Prints what it took.
import { readFileSync } from 'node:fs';
import { encodeJob } from '../../action/build/api/encode-job.js';
import { FORMATS } from '../../action/build/formats/formats.js';
import { withReportFile } from '../../action/build/formats/report-bytes.js';
import { collectFiles, toSourceFile } from '../../action/build/report/source-files.js';
import { measured } from './measured.mjs';

const [name, path, root] = process.argv.slice(2);
const format = FORMATS.find((known) => known.name === name);
const checkout = { root, files: new Set(readFileSync(`${root}/tracked.txt`, 'utf8').split('\n')), byGit: true };
const log = { info() {}, warning() {} };

function* sourceFiles(files) {
  for (const file of files) yield toSourceFile(file, root);
}

const { value, cost } = await measured(async () => {
  const parsed = withReportFile({ absolute: path, path }, (report) => format.parse(report));
  const report = { ...parsed, importPaths: false, absolute: `${root}/report`, path };
  const files = collectFiles([report], { checkout, basePath: '', allowAmbiguous: false }, log);
  const body = await encodeJob({}, sourceFiles(files));
  return { files: files.length, body: body.length };
});
console.log(JSON.stringify({ ...cost, found: value }));

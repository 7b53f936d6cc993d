// Reads one report with the action's own parser: node parse.mjs FORMAT PATH. Prints what it took and what it found.
import { FORMATS } from '../../action/build/formats/formats.js';
import { withReportFile } from '../../action/build/formats/report-bytes.js';
import { measured } from './measured.mjs';

const [name, path] = process.argv.slice(2);
const format = FORMATS.find((known) => known.name === name);
const files = await measured(() => withReportFile({ absolute: path, path }, (report) => format.parse(report).files));
const sum = (counts) => counts.reduce(([covered, all], count) => [covered + count.covered, all + count.all], [0, 0]);
const lines = sum(files.value.map((file) => file.countLines()));
const branches = sum(files.value.map((file) => file.countBranches()));
console.log(JSON.stringify({ ...files.cost, found: { files: files.value.length, lines, branches } }));

// Reads an LCOV report with lcov-parse: node lcov-parse.mjs PATH. Prints what it took and what it found.
import { promisify } from 'node:util';
import parse from 'lcov-parse';
import { measured } from '../children/measured.mjs';

const { value, cost } = await measured(() => promisify(parse)(process.argv[2]));
const count = (details, hits) => {
  const all = value.flatMap((record) => details(record));
  return [all.filter((each) => hits(each) > 0).length, all.length];
};
const lines = count(
  ({ lines }) => lines.details,
  ({ hit }) => hit,
);
const branches = count(
  ({ branches }) => branches.details,
  ({ taken }) => taken,
);
console.log(JSON.stringify({ ...cost, found: { files: value.length, lines, branches } }));

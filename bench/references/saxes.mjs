// Reads a Cobertura report with saxes: node saxes.mjs PATH. Prints what it took and what it found.
import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';
import { measured } from '../children/measured.mjs';

/** The plain way: by file the hits and arms of its lines. */
async function read(path) {
  const files = new Map();
  let file;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'class') {
      file = files.get(attributes.filename) ?? { lines: new Map(), arms: new Map() };
      files.set(attributes.filename, file);
    } else if (name === 'line') {
      file.lines.set(Number(attributes.number), Number(attributes.hits));
      const arms = /\((\d+)\/(\d+)\)$/.exec(attributes['condition-coverage'] ?? '');
      if (arms !== null) file.arms.set(Number(attributes.number), [Number(arms[1]), Number(arms[2])]);
    }
  });
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) parser.write(chunk);
  parser.close();
  return [...files.values()];
}

const { value, cost } = await measured(() => read(process.argv[2]));
const lines = [0, 0];
const branches = [0, 0];
for (const file of value) {
  for (const hits of file.lines.values()) {
    lines[0] += hits > 0 ? 1 : 0;
    lines[1] += 1;
  }
  for (const [covered, all] of file.arms.values()) {
    branches[0] += covered;
    branches[1] += all;
  }
}
console.log(JSON.stringify({ ...cost, found: { files: value.length, lines, branches } }));

// Fails on lines over 120 columns, in sources and docs.
// Usage: node scripts/check-columns.ts [path ...]; without a path, all of them are checked.
import { readFileSync } from 'node:fs';
import { type Finding, listTexts, report } from '../test/support/repo-checks/checked-texts.ts';
import { findExcess, MAX_COLUMNS, withoutSnapshots } from '../test/support/repo-checks/columns.ts';

const kind = `lines over ${MAX_COLUMNS} columns`;
const findings: Finding[] = [];
let seen = 0;

for (const { name, path } of listTexts(process.argv.slice(2)))
  for (const [index, line] of withoutSnapshots(readFileSync(path, 'utf8')).split('\n').entries()) {
    seen += 1;
    const columns = findExcess(line);
    if (columns !== undefined) findings.push({ kind, place: `${name}:${index + 1}`, what: String(columns) });
  }

report({ subject: 'columns', seen, unit: 'lines', min: 1, findings });

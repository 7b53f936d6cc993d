// Checks the import table (.dependency-cruiser.mjs), that no folders import each other, and that no git host is named
// outside its own module. A run that saw too little proves nothing, so it fails too.
import { cruise } from 'dependency-cruiser';
// @ts-expect-error a plain module without types
import config from '../.dependency-cruiser.mjs';
import { findHostNames } from './check-host-names.ts';
import { findFolderCycles } from './folder-cycles.ts';

const { forbidden, options } = config;
const result = await cruise(['shared/src', 'server/src', 'action/src', 'test', 'scripts', 'bench'], {
  ...options,
  ruleSet: { forbidden },
  validate: true,
});
if (typeof result.output === 'string') throw new Error('the import check answered text where its result was expected');
const { modules, summary } = result.output;
const ours = modules.filter((module) => /^(?:(?:shared|server|action)\/src|test|scripts|bench)\//.test(module.source));
const seen = ['shared/', 'server/', 'action/', 'test/', 'scripts/', 'bench/'].filter((place) =>
  ours.some(({ source }) => source.startsWith(place)),
);
const imports = ours.reduce((sum, module) => sum + module.dependencies.length, 0);
const rooms = new Set(ours.map((module) => module.source.split('/').slice(0, 3).join('/')));

for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} imports ${to}`);
console.log(
  `import table: ${ours.length} modules in ${rooms.size} places with ${imports} imports, ` +
    `${summary.violations.length} against the table`,
);
if (seen.length < 6 || ours.length < 60 || imports < 150) {
  console.error(
    'Too few modules or imports were seen for this check to mean anything: look at .dependency-cruiser.mjs.',
  );
  process.exitCode = 1;
}
if (summary.violations.length > 0) process.exitCode = 1;

const circles = findFolderCycles(ours);
for (const circle of circles) console.error(`folders import each other: ${circle.join(', ')}`);
if (circles.length > 0) process.exitCode = 1;

const named = findHostNames();
for (const place of named.found) console.error(`names a git host, which only its module may: ${place}`);
console.log(`host names: ${named.texts} texts in ${named.files} sources, ${named.found.length} that name a git host`);
if (named.files < 60 || named.texts < 1_000) console.error('Too few sources or texts were seen: look at the parser.');
if (named.files < 60 || named.texts < 1_000 || named.found.length > 0) process.exitCode = 1;

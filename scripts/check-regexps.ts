// No regular expression over input may take more than linear time, and none may be made from a string, where this check
// cannot see it. The checker is large, so it has a lockfile of its own and is installed when it is asked for.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';

interface Checked {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly summary: string };
  readonly attack?: { readonly pattern: string };
}
type Check = (source: string, flags: string, options: typeof LIMITS) => Promise<Checked>;

interface Found {
  /** File and line. */
  readonly place: string;
  /** Undefined if a string is made into a regular expression. */
  readonly literal: { readonly pattern: string; readonly flags: string } | undefined;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = join(root, 'tools/regexps');
/**
 * In milliseconds. Steps decide, which are the same on every machine. With its own limits of a second, the checker
 * takes any expression for an attack where the machine is busy.
 */
const LIMITS = {
  timeout: 600_000,
  incubationTimeout: 600_000,
  mutationTimeout: 600_000,
  attackTimeout: 30_000,
  randomSeed: 0,
} as const;
const AT_ONCE = 2;
/** Fewer than this means that the wrong place was searched. */
const FEWEST = 100;

function findExpressions(file: string): Found[] {
  const text = readFileSync(join(root, file), 'utf8');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Found[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type, start, regex, callee } = node as Record<string, unknown> & { callee?: { name?: string } };
    const place = () => `${file}:${text.slice(0, Number(start)).split('\n').length}`;
    if (type === 'Literal' && regex !== undefined) found.push({ place: place(), literal: regex as Found['literal'] });
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp')
      found.push({ place: place(), literal: undefined });
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return found;
}

/** A sentence about what is wrong, or nothing. */
async function judge({ place, literal }: Found, check: Check): Promise<string | undefined> {
  if (literal === undefined) return `${place}: a regular expression made from a string. Write plain string code.`;
  const { status, complexity, attack } = await check(literal.pattern, literal.flags, LIMITS);
  if (status === 'safe') return undefined;
  const how = status === 'unknown' ? 'is not known to be linear' : `is of ${complexity?.summary ?? 'unknown cost'}`;
  const shown = attack === undefined ? '' : `, as with ${attack.pattern}`;
  return `${place}: /${literal.pattern}/${literal.flags} ${how}${shown}.`;
}

if (!existsSync(join(tool, 'node_modules/recheck')))
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tool, stdio: 'inherit' });
const { check } = createRequire(join(tool, 'package.json'))('recheck') as { readonly check: Check };
const packages = process.argv.length > 2 ? process.argv.slice(2) : ['action', 'server', 'shared'];
const files = packages
  .flatMap((name) => globSync(`${name}/src/**/*.{ts,tsx}`, { cwd: root }))
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .sort();
const waiting = files.flatMap(findExpressions);
const count = waiting.length;
const problems: string[] = [];
const work = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const problem = await judge(next, check);
    if (problem !== undefined) problems.push(problem);
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
for (const problem of problems.sort()) console.error(problem);
console.log(`regular expressions: ${count} in ${files.length} files, ${problems.length} against the rule`);
if (process.argv.length === 2 && count < FEWEST)
  console.error('Too few were seen for this check to mean anything: look at scripts/check-regexps.ts.');
// The checker keeps a process of its own open.
process.exit(problems.length > 0 || (process.argv.length === 2 && count < FEWEST) ? 1 : 0);

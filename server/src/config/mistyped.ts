import * as say from './messages.ts';
import type { Environment } from './settings.ts';
import { CONFIG_VARIABLES } from './variables.ts';

const NAMES: readonly string[] = CONFIG_VARIABLES.map(({ name }) => name);

const TAKEN: ReadonlySet<string> = new Set(
  CONFIG_VARIABLES.flatMap(({ name, secret, anyCase }) => [
    name,
    ...(secret ? [`${name}_FILE`] : []),
    ...(anyCase ? [name.toLowerCase()] : []),
  ]),
);

const firstWord = (name: string): string | undefined => /^[^_]+_/.exec(name)?.[0];

/** First words that several settings share: what begins so was meant for this server. */
const FAMILIES: ReadonlySet<string> = new Set(
  NAMES.map(firstWord).filter((word, at, all) => word !== undefined && all.indexOf(word) < at) as string[],
);

/** What a build service and reproducible builds set by themselves. */
const OF_OTHERS = /^SOURCE_DATE_EPOCH$/;

/** A sentence for each variable that is not read here, and that somebody may have meant for this server. */
export function findMistyped(env: Environment): readonly string[] {
  const isInWorkflow = env.GITHUB_ACTIONS === 'true';
  return Object.keys(env)
    .filter((name) => env[name]?.trim() && !TAKEN.has(name) && !OF_OTHERS.test(name))
    .flatMap((name) => {
      const meant = findMeant(name);
      const isOurs = beginsLikeOurs(name) && !(isInWorkflow && name.startsWith('GITHUB_'));
      return meant === undefined && !isOurs ? [] : [say.mistyped(name, meant)];
    })
    .toSorted();
}

function beginsLikeOurs(name: string): boolean {
  if (FAMILIES.has(firstWord(name) ?? '')) return true;
  return NAMES.some((one) => (one.includes('_') && name.startsWith(`${one}_`)) || name === `${one}_FILE`);
}

/** The setting that differs in one letter, in two that changed places, or in capitals. */
function findMeant(name: string): string | undefined {
  if (name !== name.toUpperCase() && !name.includes('_')) return undefined;
  return NAMES.find((one) => isOneAway(name.toUpperCase(), one));
}

function isOneAway(found: string, known: string): boolean {
  const [short = '', long = ''] = [found, known].toSorted((a, b) => a.length - b.length);
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const swapped = long.charAt(at + 1) + long.charAt(at);
  return short.slice(at, at + 2) === swapped && short.slice(at + 2) === long.slice(at + 2);
}

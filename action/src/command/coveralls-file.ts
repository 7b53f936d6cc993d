import { readFileSync } from 'node:fs';
import { parse, YAMLParseError } from 'yaml';
import { readSmall } from '../git/git-places.ts';
import type { Counts } from '../messages/values.ts';
import { ActionFailure } from '../runner/failure.ts';
import { typedPath } from './local-reports.ts';

/** What a repo's `.coveralls.yml` says; empty where it says nothing. */
export interface CoverallsFile {
  readonly repoToken: string;
  readonly serviceName: string;
  readonly serviceNumber: string;
  readonly repoName: string;
  readonly endpoint: string;
  readonly flagName: string;
  /** A flag a line, or one list with commas. */
  readonly carryforward: string;
  /** As written: on, or off. */
  readonly parallel: string;
}

/** The name that every client looks for. */
const USUAL = '.coveralls.yml';
const MAX_BYTES = 1 << 20;

/** Reads the file that was named, else the usual one where it is there. Throws `bad-input` where it cannot be read. */
export function readCoverallsFile(named: string | undefined, folder: string): CoverallsFile {
  const path = typedPath(named ?? USUAL, { folder });
  const text = readText(path, named !== undefined);
  const value: unknown = text === undefined ? {} : parsed(path, text);
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const field = (name: string): string => textOf(fields[name]);
  return {
    repoToken: field('repo_token') || field('repo_secret_token'),
    serviceName: field('service_name'),
    serviceNumber: field('service_number'),
    repoName: field('repo_name'),
    endpoint: field('endpoint'),
    flagName: field('flag_name'),
    carryforward: [fields.carryforward].flat().map(textOf).filter(Boolean).join('\n'),
    parallel: field('parallel'),
  };
}

function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}

function readText(path: string, isNamed: boolean): string | undefined {
  if (!isNamed) return readSmall(path, MAX_BYTES);
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ActionFailure('bad-input', `There is no file ${path} that can be read: check --config-path.`, { cause });
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    // The parser's own words quote the file, which may be a link to a secret.
    const place = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    throw new ActionFailure('bad-input', configUnreadable(path, place));
  }
}

/** `place`: where reading stopped, from 1; undefined where YAML is used that is not taken here. */
function configUnreadable(path: string, place: Counts<'line' | 'col'> | undefined): string {
  if (place === undefined) return `${path} uses aliases of YAML, which are not taken here: write the values out.`;
  return `${path} is no YAML: look at line ${place.line}, column ${place.col}.`;
}

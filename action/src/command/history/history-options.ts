import { resolve } from 'node:path';
import type { HistorySource } from '@coverage/shared/history';
import { ActionFailure } from '../../runner/failure.ts';
import type { Arguments, Shell } from '../shell/command.ts';
import { type Asked, SOURCES } from './past.ts';

/** As much as a server imports at once (docs/migrating.md "Limits"). */
export const MAX = { builds: 20_000, lines: 200 } as const;

/** What is asked for, checked. */
export interface Options extends Asked {
  readonly from: HistorySource;
  /** At the other service. */
  readonly repo: string;
  readonly as: string;
  /** Undefined: as many as the source gives for nothing. */
  readonly lines: number | undefined;
  readonly url: string | undefined;
  readonly project: string | undefined;
  readonly in: string | undefined;
  readonly repoHash: string | undefined;
  readonly byFolder: boolean;
  readonly to: string;
  readonly perMinute: number;
  readonly caFile: string;
  readonly isTrial: boolean;
}

/** Throws `bad-input` for what is written wrongly. */
export function readOptions(given: Arguments, { folder }: Pick<Shell, 'folder'>): Options {
  const [from, repo] = [given.text('from'), given.text('repo') ?? ''];
  if (from === undefined)
    throw new ActionFailure('bad-input', `Say where the history is: --from=<${SOURCES.join('|')}>.`);
  const as = given.text('as') ?? repo;
  for (const name of [repo, as])
    if (!/^[a-z_]+(?:\/[^/\s]+){2,}$/.test(name)) throw new ActionFailure('bad-input', notARepo(name));
  const path = (name: string): string | undefined => {
    const text = given.text(name);
    return text === undefined ? undefined : resolve(folder, text);
  };
  return {
    from: from as HistorySource,
    repo,
    as,
    branches: given.texts('branch'),
    since: dayOf(given.text('since')),
    lines: numberOf(given, 'lines', MAX.lines),
    url: given.text('url'),
    project: given.text('project'),
    in: path('in'),
    repoHash: given.text('repo-hash'),
    byFolder: given.isOn('flags'),
    to: resolve(folder, given.text('to') ?? 'coverage-history'),
    perMinute: numberOf(given, 'requests-per-minute', 60_000) || 100,
    caFile: path('ca-file') ?? '',
    isTrial: given.isOn('dry-run'),
  };
}

function dayOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at))
    throw new ActionFailure('bad-input', `Option --since: expected a day as 2024-01-31, got "${text}".`);
  return at;
}

function numberOf(given: Arguments, name: string, max: number): number | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= max))
    throw new ActionFailure('bad-input', `Option --${name}: expected a number from 0 to ${max}, got "${text}".`);
  return number;
}

function notARepo(name: string): string {
  return `Give the repo as <service>/<owner>/<name>, as in --repo=github/acme/shop, got "${name}".`;
}
